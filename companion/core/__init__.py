"""What the companion knows about games, and nothing else.

The law of this folder: the standard library only, no clock, no I/O, no threads, no chance. Everything here
maps what was to what is, so that a recorded evening gives the same rulings on every machine, for ever.
"""
