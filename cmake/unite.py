"""Which sources of a target are compiled as one, so that what they share is compiled once.

    python3 unite.py LIST OUT ROOT

LIST has a line `TARGET<tab>PATH` for each source; OUT becomes CMake code that gives sources their
UNITY_GROUP. What a file has for itself, in a namespace without a name or as a macro, must mean the same
beside others: two files come together only where no such name of one is a word of the other or of a
header of ours, below ROOT, that the other sees, and where both include the same outside libraries.
"""
import collections
import pathlib
import re
import sys

# Of a group: all cores have to share the last of a target, and whoever edits one waits for all.
MOST_SOURCES, MOST_BYTES = 8, 48_000
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
                             re.DOTALL)
# Contents of namespaces are not indented: the region ends with the next brace in the first column that
# closes no declaration of its own, which `}  // namespace` tells.
NAMELESS = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE)
TYPE = re.compile(r"^(?:template <.*> )?(?:struct|class|union|enum class|enum|concept) (\w+)|^using (\w+) =")
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_[FP])?\((\w+), *(\w+)\)", re.MULTILINE)
NAMED = re.compile(r"(\w+)(?:\(| =(?: |$)|\[|\{| \{|;)")
OURS = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
OUTSIDE = re.compile(r"^#include <(?!sys/|linux/|asm/|gmock/)(\w+)/", re.MULTILINE)
MACRO = re.compile(r"^#\s*define (\w+)", re.MULTILINE)


def words(text):
    return set(re.findall(r"[A-Za-z_]\w*", COMMENT_OR_TEXT.sub(" ", text)))


class Reader:
    """Of sources and of the headers of ours that they see."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.known = {}  # headers: their text's words and what they include

    def words(self, text):
        """Those that a source sees: its own and its headers'."""
        seen, waiting = set(), OURS.findall(text)
        found = words(text)
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                used, included = self.header(name)
                found |= used
                waiting += included
        return found

    def header(self, name):
        if name not in self.known:
            path = self.root / name
            text = path.read_text() if path.is_file() else ""
            self.known[name] = words(text), OURS.findall(text)
        return self.known[name]


def declared(line):
    """The name that a line in the first column declares, if any."""
    for pattern in (TYPE, NAMED):
        if found := pattern.search(line):
            return next(filter(None, found.groups()))
    return None


def own_names(text):
    names = set(MACRO.findall(text))
    names.update("_".join((*found, "Test")) for found in TEST.findall(text))
    for region in NAMELESS.findall(text):
        for line in COMMENT_OR_TEXT.sub(" ", region).splitlines():
            if re.match(r"(?!using [^=]*$|[A-Z_]+\()[A-Za-z_]", line):
                names.add(declared(line))
    return names - {None}


class Group:
    def __init__(self, outside):
        self.outside = outside
        self.paths, self.size, self.names, self.words = [], 0, set(), set()

    def takes(self, outside, size, names, used):
        return (outside == self.outside and len(self.paths) < MOST_SOURCES and
                self.size + size <= MOST_BYTES and
                not self.names & used and not names & self.words)

    def add(self, path, size, names, used):
        self.paths.append(path)
        self.size += size
        self.names |= names
        self.words |= used


def grouped(paths, reader):
    """Paths in groups, each in the first that takes it."""
    groups = []
    for path in paths:
        text = pathlib.Path(path).read_text()
        outside = set(OUTSIDE.findall(text))
        told = len(text), own_names(text), reader.words(text)
        group = next((g for g in groups if g.takes(outside, *told)), None)
        if group is None:
            groups.append(group := Group(outside))
        group.add(path, *told)
    return [group.paths for group in groups if len(group.paths) > 1]


def main(list_path, out, root):
    reader = Reader(root)
    targets = collections.defaultdict(list)
    for line in pathlib.Path(list_path).read_text().splitlines():
        target, path = line.split("\t")
        targets[target].append(path)
    uses = collections.Counter(path for paths in targets.values() for path in paths)
    lines = []
    for target, paths in targets.items():
        lines.append(f"set_target_properties({target} PROPERTIES UNITY_BUILD ON "
                     "UNITY_BUILD_MODE GROUP)")
        for number, group in enumerate(grouped([p for p in paths if uses[p] == 1], reader)):
            files = " ".join(f'"{path}"' for path in group)
            lines.append(f"set_source_files_properties({files} TARGET_DIRECTORY {target}\n"
                         f"                            PROPERTIES UNITY_GROUP {target}_{number})")
    pathlib.Path(out).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
