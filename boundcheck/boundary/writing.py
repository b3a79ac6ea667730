"""Files put in place whole: one by a rename, a set of them by a draft folder that is committed.

A set is written into a draft folder beside its targets. One rename of the draft commits it; then
its files are moved into place one after another and stale ones removed. A process killed before
the commit leaves the old files untouched and a draft, which the next run removes; killed after it,
the next run moves what is left. Whoever starts with `finish_writing` sees the old set or the new.

Drafts are locked by the process that writes them (`flock`, which ends with the process), so a
draft whose lock is free is nobody's. Drafts are made, committed and removed under a lock on the
folder that holds them. Drafts of older versions have other names and no locks: those of single
files name their process, those of reports were written within seconds.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from boundcheck.boundary.documents import Misshapen, Unreadable, read_json, shaped
from boundcheck.boundary.messages import plain, reason
from boundcheck.errors import OutputError

DRAFT = ".boundcheck-draft-"
COMMITTED = ".boundcheck-commit"
MANIFEST = "manifest.json"
CONTENT = "content"
OLDER_REPORT = re.compile(r"\.report-[a-z0-9_]{8}")


@dataclass
class Draft:
    """A folder `content` to write a set of files into, and the old files it makes superfluous.

    Args: out: where the set goes. stale: files below `out` that go with the commit.
        written: what lies in place after the commit, sorted.
    """

    out: Path
    content: Path
    stale: set[Path] = field(default_factory=set)
    written: list[Path] = field(default_factory=list)


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all; drafts of it that dead processes left are removed.

    Raises: OutputError if it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():  # a device or a pipe is written, not replaced
            path.write_text(text, encoding="utf-8")
            return
        _replace(path, text)
    except (OSError, ValueError) as error:
        raise OutputError(
            f"{plain(str(path))} cannot be written ({reason(error)}); choose another path"
        ) from error


def _replace(path: Path, text: str) -> None:
    mark = f"{DRAFT}{hashlib.sha256(path.name.encode(errors='surrogateescape')).hexdigest()[:8]}-"
    with _locked(path.parent):
        _drop_drafts(path.parent, mark)
        _drop_older_files(path)
        handle, name = tempfile.mkstemp(prefix=mark, dir=path.parent)
        _lock(handle)
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            os.fchmod(handle, _mode(path))
            file.flush()
            draft.replace(path)  # before the lock on the draft is let go
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, else those that the process gives new files."""
    with contextlib.suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextlib.contextmanager
def drafted(out: Path) -> Iterator[Draft]:
    """A draft whose files replace those of `out` together when the block ends without error.

    Folders of `out` that were made for it are removed if the block fails.
    Raises: OSError if the draft cannot be made or put in place.
    """
    made = _make(out)
    folder: Path | None = None
    try:
        with _locked(out):
            _recover(out)
            folder = Path(tempfile.mkdtemp(prefix=DRAFT, dir=out))
            lock = os.open(folder, os.O_RDONLY)
            _lock(lock)
        try:
            draft = Draft(out, folder / CONTENT)
            draft.content.mkdir()
            yield draft
            _commit(draft, folder)
        finally:
            os.close(lock)
    except BaseException:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        for path in made:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


def _make(out: Path) -> list[Path]:
    """Make a folder; those that were missing, innermost first."""
    missing = [path for path in (out, *out.parents) if not path.exists()]
    out.mkdir(parents=True, exist_ok=True)
    return missing


def _commit(draft: Draft, folder: Path) -> None:
    files = _files(draft.content)
    targets = [draft.out / name for name in files]
    for target in targets:
        _require_replaceable(target, draft.out)
    kept = {str(path.relative_to(draft.out)) for path in draft.stale - set(targets)}
    (folder / MANIFEST).write_text(json.dumps(sorted(kept)), encoding="utf-8")
    with _locked(draft.out):
        _recover(draft.out)
        folder.rename(draft.out / COMMITTED)
        _roll_forward(draft.out)
    draft.written = targets


def _files(content: Path) -> list[Path]:
    return sorted(path.relative_to(content) for path in content.rglob("*") if path.is_file())


def _require_replaceable(target: Path, out: Path) -> None:
    """Refuse, before anything is moved, what a rename would refuse."""
    if target.is_dir() and not target.is_symlink():
        raise IsADirectoryError(21, f"{target.name} is a folder")
    for parent in target.parents:
        if parent.exists() or parent == out:
            if not parent.is_dir():
                raise NotADirectoryError(20, f"{parent.name} is not a folder")
            if not os.access(parent, os.W_OK | os.X_OK):
                raise PermissionError(13, f"{parent.name} is not writable")
            return


def finish_writing(out: Path) -> None:
    """Finish the set that a killed process committed in a folder, remove drafts of dead processes.

    Does nothing for a folder that does not exist.
    Raises: OutputError if a committed set cannot be put in place.
    """
    try:
        if os.path.isdir(out):  # false for a name that no system takes
            with _locked(out):
                _recover(out)
    except OSError as error:
        raise OutputError(
            f"{out / COMMITTED} cannot be put in place ({reason(error)}); "
            "make room, or delete it"
        ) from error


def _recover(out: Path) -> None:
    if (out / COMMITTED).is_dir():
        _roll_forward(out)
    _drop_drafts(out, DRAFT)
    for name in os.listdir(out):
        if OLDER_REPORT.fullmatch(name) and not (out / name).is_symlink():
            shutil.rmtree(out / name, ignore_errors=True)


def _roll_forward(out: Path) -> None:
    """Move the committed files into place; may be repeated after a kill at any point."""
    folder = out / COMMITTED
    for file in _files(folder / CONTENT):
        (out / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / CONTENT / file).replace(out / file)
    for name in _stale(folder):
        (out / name).unlink(missing_ok=True)
    shutil.rmtree(folder)


def _stale(folder: Path) -> list[str]:
    """Names below the report; none that leads out of it, for the list was read from a disk."""
    if not (folder / MANIFEST).exists():  # its removal was interrupted: all that it names is gone
        return []
    try:
        names = shaped(read_json(folder / MANIFEST), list[str], "list of stale files")
    except Unreadable as error:
        raise OSError(errno.EIO, f"{MANIFEST} {reason(error)}") from error
    except Misshapen:
        return []
    return [name for name in names if not {"..", os.sep} & set(Path(name).parts)]


def _drop_drafts(folder: Path, mark: str) -> None:
    for name in os.listdir(folder):
        if name.startswith(mark) and _is_free(folder / name):
            _remove(folder / name)


def _drop_older_files(path: Path) -> None:
    """Drafts of a file by older versions, named `.NAME.PROCESS`, whose process has ended."""
    named = re.compile(rf"\.{re.escape(path.name)}\.([0-9]{{1,9}})")
    for name in os.listdir(path.parent):
        found = named.fullmatch(name)
        if found is not None and not _is_alive(int(found[1])):
            (path.parent / name).unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # of somebody else
        return True
    return True


def _is_free(path: Path) -> bool:
    """Whether no living process has locked a draft."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One process at a time; the lock ends with the block or the process."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        _lock(handle)
        yield
    finally:
        os.close(handle)


def _lock(handle: int) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError as error:  # a file system without locks: one writer at a time is up to the user
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS):
            raise


def writable_folder(folder: Path, option: str = "--out") -> None:
    """Make a folder for results.

    Raises: OutputError if it cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except (OSError, ValueError) as error:
        raise OutputError(
            f"{option} {folder} cannot be written ({reason(error)}); choose another folder"
        ) from error


def require_writable(path: Path, option: str = "--json") -> None:
    """Check, before hours of work, that a file can be written where it was asked for.

    Raises: OutputError if it cannot.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
        if path.exists() and not path.is_file():
            return
        _require_name(path)
        tempfile.TemporaryFile(dir=path.parent).close()
    except (OSError, ValueError) as error:
        raise OutputError(
            f"{option} {path} cannot be written ({reason(error)}); choose another path"
        ) from error


def _require_name(path: Path) -> None:
    """Ask the system whether a file may bear this name: it has limits of its own."""
    with contextlib.suppress(FileNotFoundError):
        os.lstat(path)
