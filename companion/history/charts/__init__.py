"""Charts as SVG, drawn by the server: no script, no waiting, and each with a table beside it."""
