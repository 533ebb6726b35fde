"""The house rules as functions from paths and texts to complaints."""
import fnmatch
import pathlib
import re

# What a folder may include, longest folder first. Its own folder is always allowed.
_ENV = ("env",)
_SPOKES = ("env", "spaces", "backends", "agents")
ARROWS = {
    "env/base": (),
    "env/program": ("env/base",),
    "env/schedule": ("env/base", "env/program"),
    "env/lower": ("env/base", "env/program", "env/schedule"),
    "env/measure": ("env/base", "env/program", "env/schedule", "env/lower"),
    "env/features": ("env/base", "env/program", "env/schedule", "env/lower"),
    "env/search": ("env/base", "env/program", "env/schedule", "env/features"),
    "env/gym": _ENV,
    "spaces": _ENV,
    "backends/runner": _ENV + ("backends/backend.h", "backends/export_kernel.h",
                                 "backends/object_code.h"),
    "backends": ("env/base", "env/program", "env/lower"),
    "agents/learned": _ENV + ("agents",),
    "agents": _ENV,
    "assembly": _SPOKES,
    "bindings": _SPOKES + ("assembly",),
    "experiments": _SPOKES + ("assembly",),
}
# Built by themselves, against an installed copy: their files find each other without a folder.
OWN_PROJECTS = "experiments/plugins/"
TOP_LEVEL = ("env", "spaces", "backends", "agents", "assembly", "bindings", "experiments")

# Headers of outside libraries that cost seconds for every file that sees them.
HEAVY = re.compile(
    r"^(llvm|llvm-c|torch|c10|ATen|boost|pybind11|CLI|spdlog|nlohmann|oneapi|xgboost|openssl)/"
    r"|^cuda|^nvrtc|^sqlite3\.h$|^zlib\.h$|^cblas|^dnnl|^openblas|^gtest/|^gmock/|^benchmark/")
# Headers with this ending may name their folder's library: only the folder's own files see them.
INTERNAL = "_internal.h"
HEAVY_INTERNAL = {"agents/learned/policy": ("ATen/", "c10/"), "backends/llvm": ("llvm/",),
                  "bindings": ("pybind11/",),
                  "env/measure": ("nlohmann/",)}

HEADER_LINES, SOURCE_LINES = 250, 500
MAX_VIRTUALS = 6

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# At the left margin: in a namespace, not in another type.
DEFINITION = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?[^;{(]*\{", re.MULTILINE)
ALIAS = re.compile(r"^using (\w+) =", re.MULTILINE)
CLASS = re.compile(r"\b(?:class|struct)\s+(\w+)[^;{}()=]*\{")


def includes(text):
    """(is it quoted, path) of each include line."""
    found = (INCLUDE.match(line) for line in text.splitlines())
    return [(m.group(1) == '"', m.group(2)) for m in found if m]


def folder_rule(path):
    """The key of ARROWS that governs a file, or None."""
    for folder in sorted(ARROWS, key=len, reverse=True):
        if path.startswith(folder + "/"):
            return folder
    return None


def _within(path, place):
    return path == place or path.startswith(place + "/")


def _folder(path):
    return str(pathlib.PurePosixPath(path).parent)


def direction(path, text):
    """Complaints about arrows that the architecture does not allow."""
    rule = folder_rule(path)
    if rule is None:
        return []
    allowed = ARROWS[rule] + (rule,)
    if path.startswith(OWN_PROJECTS):
        allowed += tuple(target for _, target in includes(text) if "/" not in target)
    return [f"{path}: includes {target}, but {rule} may include only {', '.join(allowed)}"
            for quoted, target in includes(text)
            if quoted and not any(_within(target, place) for place in allowed)]


def heavy(path, text):
    """Complaints about heavy libraries named in a header."""
    if not path.endswith(".h"):
        return []
    spared = HEAVY_INTERNAL.get(_folder(path), ()) if path.endswith(INTERNAL) else ()
    spared += ("gtest/", "gmock/") if path.startswith("tests/") else ()
    return [f"{path}: a header names {target}" for _, target in includes(text)
            if HEAVY.search(target) and not target.startswith(spared)]


def internal(path, text):
    """Complaints about internal headers seen from another folder, or from a header for all."""
    is_open = path.endswith(".h") and not path.endswith(INTERNAL)
    return [f"{path}: includes {target}, which is internal" for _, target in includes(text)
            if target.endswith(INTERNAL) and (is_open or _folder(target) != _folder(path))]


def size(path, text):
    limit = HEADER_LINES if path.endswith(".h") else SOURCE_LINES
    count = len(text.splitlines())
    return [f"{path}: {count} lines, at most {limit}"] if count > limit else []


def strip_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"', "", text, flags=re.S)


def virtuals(path, text):
    """Complaints about classes with more virtual functions than six; destructors do not count."""
    text = strip_comments(text)
    complaints = []
    for match in CLASS.finditer(text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        count = len(re.findall(r"\bvirtual\s+(?!~)", text[match.end():end]))
        if count > MAX_VIRTUALS:
            complaints.append(f"{path}: {match.group(1)} has {count} virtual functions, "
                              f"at most {MAX_VIRTUALS}")
    return complaints


def first_words(path, text):
    """A header begins with its one sentence, and is guarded by #pragma once."""
    if not path.endswith(".h"):
        return []
    complaints = []
    if not text.startswith("//"):
        complaints.append(f"{path}: a header begins with a comment that says what it is")
    if "#pragma once" not in text:
        complaints.append(f"{path}: no #pragma once")
    return complaints


def strip_cmake_comments(text):
    return re.sub(r"#[^\n]*", "", text)


def twice_defined(headers):
    """Types of one name in one namespace: linked together, each may get the other's functions."""
    places = {}
    for path, text in headers:
        for name in DEFINITION.findall(text) + ALIAS.findall(text):
            places.setdefault(name, []).append(path)
    return [f"{name} is defined in {', '.join(paths)}"
            for name, paths in sorted(places.items()) if len(paths) > 1]


def _named(folder, text, tests):
    """Those of the tests that a CMakeLists.txt names: by name, or by a pattern but for its EXCEPT."""
    clause = re.compile(r"\bEXCEPT\b([^)]*?)(?=\bLINKS\b|\bUSES\b|\))")
    left_out = {f"{folder}/{word}" for part in clause.findall(text) for word in part.split()}
    text = clause.sub("", text)
    words = [f"{folder}/{word}" for word in re.findall(r"[\w/.*-]+\.cc\b", text)]
    return {test for test in tests for word in words
            if test == word or ("*" in word and test not in left_out and _folder(test) == _folder(word)
                                and fnmatch.fnmatchcase(test, word))}


def forgotten_tests(lists, tests):
    """Complaints about tests that no build runs. `lists`: the text of each CMakeLists.txt under
    tests/, by path; `tests`: paths of the tests' sources."""
    texts = {path: strip_cmake_comments(text) for path, text in lists.items()}
    reached, waiting = set(), ["tests/CMakeLists.txt"]
    while waiting:
        path = waiting.pop()
        if path in reached or path not in texts:
            continue
        reached.add(path)
        waiting += [f"{_folder(path)}/{folder}/CMakeLists.txt" for folder in
                    re.findall(r"\badd_subdirectory\(\s*([\w/.-]+)", texts[path])]
    named = {name for path in reached for name in _named(_folder(path), texts[path], tests)}
    return ([f"{path}: no add_subdirectory leads here" for path in sorted(set(lists) - reached)] +
            [f"{path}: no CMakeLists.txt names it" for path in sorted(set(tests) - named)])


def static_constructors(readelf_text):
    """Names of object files with a section of constructors, from `readelf -S --wide`."""
    found, current = [], None
    for line in readelf_text.splitlines():
        if line.startswith("File: "):
            current = line[len("File: "):].strip()
        elif re.search(r"\s\.(init_array|ctors)\b", line) and current not in found:
            found.append(current)
    return found


RULES = (direction, heavy, internal, size, virtuals, first_words)
