"""The last step before a check: sets its limits, shuts the file system where asked, and becomes the check.

Run as ``python -I -S inside.py SETTINGS PROGRAM ARGUMENT…`` from a copy in the throw-away folder, so it
imports the standard library only. SETTINGS is a JSON object: ``cpu`` in seconds, ``memory`` and ``file``
in bytes, ``writable``, the only folder that may be written to (null: no such limit is set here), and
``seen``, the folders that programs are started from.
"""

import ctypes
import json
import os
import re
import sys
from pathlib import Path

# From linux/mount.h and linux/prctl.h.
_READ_ONLY, _REMOUNT, _BIND, _RECURSIVE = 1, 32, 4096, 16384
_FLAGS = {"nosuid": 2, "nodev": 4, "noexec": 8, "noatime": 1024, "nodiratime": 2048, "relatime": 1 << 21}
_DROP_BOUNDING, _NO_NEW_PRIVILEGES = 24, 38
_LAST_CAPABILITY = 63
_REFUSED = 97


def _limit(settings: dict[str, int]) -> None:
    try:
        import resource
    except ImportError:
        return
    for name, kind in (
        ("cpu", resource.RLIMIT_CPU),
        ("memory", resource.RLIMIT_AS),
        ("file", resource.RLIMIT_FSIZE),
    ):
        resource.setrlimit(kind, (settings[name], settings[name]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _mount(source: str, target: str, kind: str | None, flags: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    given = kind.encode() if kind else None
    if libc.mount(os.fsencode(source), os.fsencode(target), given, ctypes.c_ulong(flags), None):
        raise OSError(ctypes.get_errno(), "mount", target)


def _shut(writable: str, seen: list[str]) -> None:
    """Make everything but ``writable`` read-only; needs a mount namespace of our own."""
    _mount(writable, writable, None, _BIND | _RECURSIVE)
    fresh = set()
    # Sockets of services lie in /run; some systems have their programs below it too.
    for folder in ("/dev/shm", *(() if Path("/run/current-system").exists() else ("/run",))):  # noqa: S108
        needed = any(place.startswith(f"{folder}/") for place in (writable, *seen))
        if Path(folder).is_dir() and not needed:
            _mount("tmpfs", folder, "tmpfs", _FLAGS["nosuid"] | _FLAGS["nodev"])
            fresh.add(folder)
    mounts = os.fsdecode(Path("/proc/self/mountinfo").read_bytes()).splitlines()
    for fields in map(str.split, mounts):
        place = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), fields[4])
        if place == writable or place.startswith(writable + "/") or place in fresh - {"/run"}:
            continue
        kept = sum(_FLAGS.get(option, 0) for option in fields[5].split(","))
        _mount("none", place, None, _REMOUNT | _BIND | _READ_ONLY | kept)
    libc = ctypes.CDLL(None, use_errno=True)
    # Without these rights nothing that was shut can be opened again.
    for capability in range(_LAST_CAPABILITY + 1):
        libc.prctl(_DROP_BOUNDING, capability, 0, 0, 0)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def main(arguments: list[str]) -> int:
    """Become the program; the exit code 97 tells that it was not started."""
    settings = json.loads(arguments[0])
    try:
        if settings["writable"] is not None:
            folder = Path.cwd()
            _shut(settings["writable"], settings["seen"])
            # The folder we stand in is the one below the mount made just now.
            os.chdir(folder)
        _limit(settings)
        os.execvp(arguments[1], arguments[1:])  # noqa: S606
    except (OSError, ValueError) as error:
        sys.stderr.write(f"memaudit: not started: {error}\n")
    return _REFUSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
