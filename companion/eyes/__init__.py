"""The eyes: from a picture of the table to what lies where. Arrays in, readings out; no camera, no threads."""
