"""Files that were checked before and found clean, known by their contents.

A check of a file depends on its text, the headers of ours that it includes, the tool and its options.
The digest of all these is kept when the check finds nothing, and the same file is not checked again.
"""
import hashlib
import os
import pathlib
import re

OURS = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
MOST = 20_000  # digests that are kept of one check, the latest used first: five of each file


class Sources:
    """Digests of files with the headers of ours that they see."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.known = {}  # of a path: the digest of its text and what it includes

    def seen(self, path):
        """The file and the headers, sorted."""
        found, waiting = set(), [path]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self._read(name)[1]
        return sorted(found)

    def digest(self, path):
        return _digest(*(word for name in self.seen(path) for word in (name, self._read(name)[0])))

    def _read(self, name):
        if name not in self.known:
            path = self.root / name
            text = path.read_bytes() if path.is_file() else b""
            self.known[name] = _digest(text), [found.decode() for found in OURS.findall(text)]
        return self.known[name]


class CleanFiles:
    """Digests kept in a file. `facts`: the tool and its options."""

    def __init__(self, path, *facts):
        self.path = pathlib.Path(path)
        self.facts = facts
        lines = self.path.read_text().split() if self.path.is_file() else []
        self.before, self.used = dict.fromkeys(lines), []

    def key(self, *words):
        return _digest(*self.facts, *words)

    def has(self, key):
        if key not in self.before:
            return False
        self.used.append(key)
        return True

    def add(self, key):
        self.used.append(key)

    def save(self):
        kept = list(dict.fromkeys([*reversed(self.used), *self.before]))[:MOST]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        made = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        made.write_text("".join(f"{key}\n" for key in kept))
        made.replace(self.path)


def checked(clean, keys, check, most=None):
    """What check(items) -> {item: complaint} says of the items whose key is not known as clean, of the
    first `most` of them. `keys`: item -> key."""
    asked = [item for item, key in keys.items() if not clean.has(key)][:most]
    complaints = check(asked) if asked else {}
    for item in asked:
        if not complaints.get(item):
            clean.add(keys[item])
    clean.save()
    return {item: text for item, text in complaints.items() if text}


def _digest(*words):
    whole = hashlib.sha256()
    for word in words:
        data = word if isinstance(word, bytes) else str(word).encode()
        whole.update(b"%d:" % len(data) + data)
    return whole.hexdigest()
