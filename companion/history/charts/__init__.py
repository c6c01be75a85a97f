"""Charts, drawn as SVG where the page is made: no script, nothing to wait for, and a table beside each."""
