"""Which sources of a target are compiled as one, so that what they share is compiled once.

    python3 unite.py LIST OUT ROOT

LIST has a line `TARGET<tab>PATH` for each source; OUT becomes CMake code that gives sources their
UNITY_GROUP. What a file has for itself must mean the same beside others. Two files come together only
where no name that one has in a namespace without a name is one that the other, or a header of ours below
ROOT that it sees, declares outside of classes; where no macro of one is a word of the other or of such a
header; and where both include the same outside libraries.
"""
import collections
import pathlib
import re
import sys

# Of a group: all cores have to share the last of a target, and whoever edits one waits for all.
MOST_SOURCES, MOST_BYTES = 16, 96_000
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
                             re.DOTALL)
# Contents of namespaces are not indented: the region ends with the next brace in the first column that
# closes no declaration of its own, which `}  // namespace` tells.
NAMELESS = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE)
TYPE = re.compile(r"^(?:template <.*> )?(?:struct|class|union|enum class|enum|concept) (?:\[\[\w+\]\] )?(\w+)|^using (\w+) =")
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_[FP])?\((\w+), *(\w+)\)", re.MULTILINE)
NAMED = re.compile(r"(\w+)(?:\(| =(?: |$)|\[|\{| \{|;)")
OURS = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
OUTSIDE = re.compile(r"^#include <(?!sys/|linux/|asm/|gmock/)(\w+)/", re.MULTILINE)
# Of a line of code: what it declares, if anything, is not in a class. Macros are in capitals.
DECLARATION = re.compile(r"(?!using [^=]*$|[A-Z_]+\()[A-Za-z_[]")
MACRO = re.compile(r"^#\s*define (\w+)", re.MULTILINE)


def words(text):
    return set(re.findall(r"[A-Za-z_]\w*", COMMENT_OR_TEXT.sub(" ", text)))


class Reader:
    """Of sources and of the headers of ours that they see."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.known = {}  # headers: the names that they declare, their words, what they include

    def seen(self, text):
        """The names that a source and its headers declare outside of classes, and all their words."""
        done, waiting = set(), OURS.findall(text)
        names, used = declarations(text), words(text)
        while waiting:
            header = waiting.pop()
            if header not in done:
                done.add(header)
                declared_there, used_there, included = self.header(header)
                names |= declared_there
                used |= used_there
                waiting += included
        return names, used

    def header(self, name):
        if name not in self.known:
            path = self.root / name
            text = path.read_text() if path.is_file() else ""
            self.known[name] = declarations(text), words(text), OURS.findall(text)
        return self.known[name]


def declared(line):
    """The name that a line in the first column declares, if any."""
    for pattern in (TYPE, NAMED):
        if found := pattern.search(line):
            return next(filter(None, found.groups()))
    return None


def declarations(text):
    """Names that lines in the first column declare."""
    lines = COMMENT_OR_TEXT.sub(" ", text).splitlines()
    return {declared(line) for line in lines if DECLARATION.match(line)} - {None}


def own_names(text):
    names = {"_".join((*found, "Test")) for found in TEST.findall(text)}
    return names.union(*(declarations(region) for region in NAMELESS.findall(text)))


class Source:
    def __init__(self, path, reader):
        text = pathlib.Path(path).read_text()
        self.path, self.size = path, len(text)
        self.outside = set(OUTSIDE.findall(text))
        self.names, self.macros = own_names(text), set(MACRO.findall(text))
        self.declared, self.words = reader.seen(text)

    def disturbs(self, other):
        return self.names & other.declared or self.macros & other.words


def grouped(paths, reader):
    """Paths in groups, each in the first that takes it."""
    groups = []
    for source in (Source(path, reader) for path in paths):
        def takes(group):
            return (len(group) < MOST_SOURCES and group[0].outside == source.outside and
                    sum(one.size for one in group) + source.size <= MOST_BYTES and
                    not any(one.disturbs(source) or source.disturbs(one) for one in group))

        group = next(filter(takes, groups), None)
        if group is None:
            groups.append(group := [])
        group.append(source)
    return [[one.path for one in group] for group in groups if len(group) > 1]


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
