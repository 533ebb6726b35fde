"""What clang-format and clang-tidy are run on, and how."""
import pathlib
import re
import shlex
import shutil
import subprocess

# What its words mean differs between versions: others would find other things.
VERSION = "14"
FOLDERS = ("env", "spaces", "backends", "agents", "assembly", "bindings", "experiments", "tests")
SUFFIXES = (".h", ".cc")
COMMITS = 5  # a choice: what is looked at of a branch that is ahead of nothing


def tool(name):
    """The program of that version, or None."""
    for candidate in (f"{name}-{VERSION}", name):
        path = shutil.which(candidate)
        if path and f" {VERSION}." in _output([path, "--version"]):
            return path
    return None


def version(program):
    """What it says of itself."""
    return _output([program, "--version"])


def sources(root):
    """Paths from the root, sorted."""
    return sorted(path.relative_to(root).as_posix() for folder in FOLDERS
                  for path in (root / folder).rglob("*") if path.suffix in SUFFIXES)


def changed(root):
    """Sources that differ from where this branch left the one it follows, or else, also where it is
    no further than that one, from what they were a few commits ago; the newest first. None where git
    knows nothing of this tree. Of a clone that has_history denies: what is not committed.
    """
    if _git(root, "rev-parse", "--show-toplevel") is None:
        return None
    head = _git(root, "rev-parse", "HEAD")
    if head is None:
        return None
    base = _git(root, "merge-base", "HEAD", "@{upstream}")
    if base is None or base == head:
        base = _git(root, "rev-list", "--first-parent", f"--max-count={COMMITS + 1}", "HEAD")
        base = base.split()[-1]
    names = (_git(root, "diff", "--name-only", "--relative", base.strip()) or "") + (
        _git(root, "ls-files", "--others", "--exclude-standard") or "")
    paths = [root / name for name in set(names.splitlines())
             if name.startswith(tuple(f"{folder}/" for folder in FOLDERS))]
    found = [path for path in paths if path.suffix in SUFFIXES and path.is_file()]
    ages = _ages(root, base.strip())
    found.sort(key=lambda path: (ages.get(path.relative_to(root).as_posix(), -1),
                                 -path.stat().st_mtime, path))
    return [path.relative_to(root).as_posix() for path in found]


def _ages(root, base):
    """By path, before how many commits it was last changed; without what is not committed."""
    log = _git(root, "log", "--format=%x00", "--name-only", "--relative", f"{base}..HEAD") or ""
    ages = {}
    for age, names in enumerate(log.split("\0")[1:]):
        for name in names.split("\n"):
            ages.setdefault(name, age)
    for name in (_git(root, "diff", "--name-only", "--relative", "HEAD") or "").splitlines():
        ages.pop(name, None)
    return ages


def has_history(root):
    """Whether a commit is known to compare with: not in a clone of depth 1."""
    return len((_git(root, "rev-list", "--max-count=2", "HEAD") or "").split()) > 1


def plain_command(command):
    """A compiler's words without its precompiled header, which clang cannot read."""
    words, kept = shlex.split(command), []
    while words:
        word = words.pop(0)
        if word == "-include" and words and "cmake_pch" in words[0]:
            words.pop(0)
        elif word != "-Winvalid-pch":
            kept.append(word)
    return shlex.join(kept)


def single_sources(entries):
    """A compilation database as if nothing were compiled together (cmake/unite.py)."""
    for entry in entries:
        file = pathlib.Path(entry["directory"], entry["file"])
        if file.parent.name != "Unity":
            yield entry
            continue
        for path in re.findall(r'^#include "(.*)"$', file.read_text(), re.MULTILINE):
            yield {**entry, "file": path, "command": entry["command"].replace(entry["file"], path)}


def plain_database(entries):
    """A compilation database without precompiled headers."""
    return [{**entry, "command": plain_command(entry["command"])} for entry in entries]


def units(paths, compiled):
    """The sources to be looked at for these to be seen, in their order: a header is seen in the source
    of its own name. `compiled`: those that the database has.
    """
    chosen = (pathlib.PurePosixPath(path).with_suffix(".cc").as_posix() for path in paths)
    return [path for path in dict.fromkeys(chosen) if path in compiled]


def _output(words, **options):
    result = subprocess.run(words, capture_output=True, text=True, **options)
    return result.stdout if result.returncode == 0 else ""


def _git(root, *words):
    """What it says; None where it fails, or there is none."""
    try:
        result = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)
    except OSError:
        return None
    return result.stdout if result.returncode == 0 else None
