"""Where pictures come from: a folder of them, a video, a camera."""
