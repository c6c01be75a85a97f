"""The commands, a module for what belongs together. `companion.__main__` knows where each one stands and loads it
when it is asked for: OpenCV alone takes a tenth of a second, and most of them have no need of it."""
