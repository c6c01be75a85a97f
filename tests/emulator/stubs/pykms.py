"""picamera2 imports this for its preview on a screen, and it can be had on Raspberry Pi OS only."""


class PixelFormat:
    RGB888 = BGR888 = YUV420 = YVU420 = XRGB8888 = XBGR8888 = NV12 = None
