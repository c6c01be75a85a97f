"""OpenCV and the decoders in it write what troubles them to standard error; here it is said in one line, by us."""

import os

from cv2.utils import logging


def quiet_decoders() -> None:
    # FFmpeg's own word for quiet, read when the first video is opened.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
