"""Threads of the program, as tests find and kill them."""

import ctypes
import threading


def thread_named(name: str) -> threading.Thread:
    return next(thread for thread in threading.enumerate() if thread.name == name)


def kill(thread: threading.Thread, death: type[BaseException] = SystemExit) -> None:
    """Raises that in it, wherever it is, as soon as it does anything."""
    set_async_exc = ctypes.pythonapi.PyThreadState_SetAsyncExc
    assert set_async_exc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(death)) == 1


def unreported(_: threading.ExceptHookArgs) -> None:
    """For `threading.excepthook`, where a test kills a thread: nobody need read of it."""
