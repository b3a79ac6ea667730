"""Bytes of files from outside: regular files only, no larger than stated before they are read."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path

from boundcheck.boundary.messages import reason, shown

MIB = 2**20
KINDS = {
    stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket",
}  # fmt: skip


class Unreadable(Exception):
    """Why a file cannot be read, in words that follow its name."""


def read_bytes(path: str | Path, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes.

    A pipe is refused without waiting for its writer, a large file before anything is allocated.
    Raises: Unreadable.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise Unreadable(f"cannot be read ({reason(error)})") from error
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            kind = KINDS.get(stat.S_IFMT(found.st_mode), "no regular file")
            raise Unreadable(f"is {kind}, not a file")
        if found.st_size > limit:
            raise Unreadable(f"has {found.st_size} bytes, more than {limit}")
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read ({reason(error)})") from error
    finally:
        os.close(handle)
    if len(data) > limit:  # it grew meanwhile, or the system states no size
        raise Unreadable(f"has more than {limit} bytes")
    return data


def files_below(tree: Path, suffix: str = "", without: tuple[str, ...] = ()) -> Iterator[Path]:
    """Every file below a folder, in one order, bytecode left out.

    Args: suffix: of the names. without: names of folders that are not entered.
    """
    for place, folders, names in os.walk(tree):
        folders[:] = sorted({*folders} - {"__pycache__", *without})
        yield from (Path(place, name) for name in sorted(names) if name.endswith(suffix))


def content(path: str | Path, limit: int = 256 * MIB) -> bytes:
    """Bytes of a file that count in a digest; of a pipe, device or giant, why it is not read.

    Raises: OSError if there is no such file.
    """
    os.stat(path)
    try:
        return read_bytes(path, limit)
    except Unreadable as error:
        return str(error).encode()


def cache_folder() -> Path:
    """Where the user's caches of this program lie.

    Raises: RuntimeError for a user without a home.
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boundcheck"


def unzipped(data: bytes, limit: int) -> bytes:
    """What gzip data hold, all members, decompressed no further than `limit` bytes.

    Raises: Unreadable for damaged or truncated data and for more than `limit` bytes.

    >>> import gzip
    >>> unzipped(gzip.compress(b"1,2") + gzip.compress(b",3"), 10)
    b'1,2,3'
    """
    parts: list[bytes] = []
    room = limit
    while data:
        member = zlib.decompressobj(wbits=31)
        try:
            part = member.decompress(data, room + 1)
        except zlib.error as error:
            raise Unreadable(f"is damaged gzip ({reason(error)})") from error
        room -= len(part)
        if room < 0:
            raise Unreadable(f"unpacks to more than {limit} bytes")
        if not member.eof:
            raise Unreadable("is truncated gzip (it ends in the middle)")
        parts.append(part)
        data = member.unused_data.lstrip(b"\0")  # padding is allowed behind a member
    return b"".join(parts)


def text(data: bytes) -> str:
    """UTF-8, with or without a byte order mark.

    Raises: Unreadable naming the byte and its place, and for a null character.
    """
    try:
        decoded = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"is not UTF-8 (byte {shown(data[error.start : error.start + 1])} at {error.start})"
        ) from error
    if "\0" in decoded:
        raise Unreadable(f"holds a null character at {decoded.index(chr(0))}")
    return decoded
