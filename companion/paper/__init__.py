"""Everything the companion prints: the mat, and a deck of its own.

The art is described once, in millimetres (`shapes`), and drawn twice: as a PDF for the printer (`pdf`) and as
the picture that a camera would see (`raster`), so that what is tested is what is printed.
"""
