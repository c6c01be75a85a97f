"""Silences OpenCV and its decoders, which write to standard error; we report problems in one line ourselves."""

import os

from cv2.utils import logging


def quiet_decoders() -> None:
    # FFmpeg's AV_LOG_QUIET; it is read when the first video is opened.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
