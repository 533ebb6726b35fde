"""The house rules as functions from paths and texts to complaints."""
import fnmatch
import pathlib
import posixpath
import re
import tomllib

# The rows of arrows.toml by their folders: what each holds and may include.
ROOMS = {row["folder"]: row for row in tomllib.loads(
    (pathlib.Path(__file__).parent / "arrows.toml").read_text())["room"]}
# Built by themselves, against an installed copy: their files find each other without a folder.
OWN_PROJECTS = "experiments/plugins/"
TOP_LEVEL = ("env", "spaces", "backends", "agents", "assembly", "bindings", "experiments")

# Headers of outside libraries that cost seconds for every file that sees them.
HEAVY = re.compile(
    r"^(llvm|llvm-c|torch|Eigen|c10|ATen|asio|pybind11|CLI|spdlog|nlohmann|oneapi|xgboost|openssl)/"
    r"|^cuda|^nvrtc|^sqlite3\.h$|^zlib\.h$|^cblas|^dnnl|^openblas|^gtest/|^gmock/|^benchmark/")
# Headers with this ending may name their folder's library: only the folder's own files see them.
INTERNAL = "_internal.h"
# Libraries that one source alone may include: all others use its header.
DOORS = {"nlohmann/": "env/base/json.cc"}

HEADER_LINES, SOURCE_LINES = 250, 500
PYTHON_LINES = 600  # public docstrings say arguments, results and exceptions
# A source above the first opens with so many lines that say what it computes, how and at what cost.
LONG_SOURCE, HEAD_LINES = 120, 3
MAX_VIRTUALS = 6

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# At the left margin: in a namespace, not in another type.
DEFINITION = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?[^;{(]*\{", re.MULTILINE)
ALIAS = re.compile(r"^using (\w+) =", re.MULTILINE)
THROWING = re.compile(
    r"(?:fs|filesystem)::(absolute|(?:weakly_)?canonical|copy(?:_file)?|create_\w+|current_path|"
    r"equivalent|exists|file_size|is_\w+|last_write_time|permissions|proximate|read_symlink|relative|"
    r"remove(?:_all)?|rename|resize_file|space|status|symlink_status|temp_directory_path|"
    r"(?:recursive_)?directory_iterator)(?: \w+)?\(")
STRUCT = re.compile(r"\bstruct\s+(\w+)[^;{}()=]*\{")
CLASS = re.compile(r"\b(?:class|struct)\s+(\w+)[^;{}()=]*\{")


def includes(text):
    """(is it quoted, path) of each include line."""
    found = (INCLUDE.match(line) for line in text.splitlines())
    return [(m.group(1) == '"', m.group(2)) for m in found if m]


def folder_rule(path):
    """The folder of the row that governs a file, or None."""
    for folder in sorted(ROOMS, key=len, reverse=True):
        if path.startswith(folder + "/"):
            return folder
    return None


def _folder(path):
    return str(pathlib.PurePosixPath(path).parent)


def _allows(place, target):
    """Whether an entry of `includes` covers a header: a row, all rows below a folder, or a file."""
    if place.endswith("/*"):
        return target.startswith(place[:-1])
    return target == place or folder_rule(target) == place


def allowed(path):
    """The entries that cover what a file may include, its own row first."""
    rule = folder_rule(path)
    row = ROOMS[rule]
    is_registry = path.removeprefix(rule + "/") in row.get("registry", ())
    return [rule, *row["includes"]] + ([f"{rule}/*"] if is_registry else [])


def direction(path, text):
    """Complaints about arrows that the table does not allow."""
    if folder_rule(path) is None:
        return []
    places = allowed(path)
    quoted = [target for is_quoted, target in includes(text) if is_quoted]
    if path.startswith(OWN_PROJECTS):
        quoted = [target for target in quoted if "/" in target]
    return [f"{path}: includes {target}, but may include only {', '.join(places)}"
            for target in quoted if not any(_allows(place, target) for place in places)]


def arrow_circles():
    """Rows that include each other, directly or through others; registries do not count."""
    below = {folder: {other for place in row["includes"] for other in ROOMS
                      if other != folder and _allows(place, f"{other}/a.h")}
             for folder, row in ROOMS.items()}
    order = []
    while len(order) < len(below):
        ready = [folder for folder in below if folder not in order and below[folder] <= set(order)]
        if not ready:
            return sorted(set(below) - set(order))
        order += ready
    return []


def _in_table(path, key):
    return tuple(ROOMS.get(folder_rule(path), {}).get(key, ()))


def heavy(path, text):
    """Complaints about heavy libraries named in a header, or where their row does not list them."""
    named = [target for is_quoted, target in includes(text)
             if not is_quoted and HEAVY.search(target)]
    if path.endswith(".h"):
        spared = _in_table(path, "internal") if path.endswith(INTERNAL) else ()
        spared += ("gtest/", "gmock/") if path.startswith("tests/") else ()
        return [f"{path}: a header names {target}" for target in named
                if not target.startswith(spared)]
    if folder_rule(path) is None:
        return []
    return [f"{path}: names {target}, which arrows.toml does not list for {folder_rule(path)}"
            for target in named if not target.startswith(_in_table(path, "outside"))]


def doors(path, text):
    """Complaints about libraries that another source stands before."""
    return [f"{path}: includes {target}, which only {door} may" for _, target in includes(text)
            for library, door in DOORS.items() if target.startswith(library) and path != door]


def internal(path, text):
    """Complaints about internal headers seen from another folder, or from a header for all."""
    is_open = path.endswith(".h") and not path.endswith(INTERNAL)
    return [f"{path}: includes {target}, which is internal" for _, target in includes(text)
            if target.endswith(INTERNAL) and (is_open or _folder(target) != _folder(path))]


def error_codes(path, text):
    """Complaints about calls of std::filesystem that throw what no command expects: without an error
    code a loop of links is an internal error. What is asked of a file_status never throws."""
    if path.startswith(("tests/", "experiments/bench/benchmarks/")):
        return []
    text = strip_comments(text)
    codes = set(re.findall(r"std::error_code&? (\w+)", text))
    statuses = set(re.findall(r"file_status (\w+)", text))
    complaints = []
    for match in THROWING.finditer(text):
        words = set(re.findall(r"\w+", _arguments(text[match.end():])))
        if match[1].endswith("iterator") and not words:
            continue
        if not words & codes and not (words and words <= statuses):
            complaints.append(f"{path}: {match[1]} without an error code")
    return complaints


def casts(path, text):
    """Complaints about casts that ask an object what it is: the interface answers that."""
    if path.startswith("tests/") or not path.endswith((".h", ".cc", ".cu")):
        return []
    return [f"{path}: {found}" for found in re.findall(r"\bdynamic(?:_pointer)?_cast<", strip_comments(text))]


def _arguments(text):
    """Up to the parenthesis that closes an open one before the text."""
    depth = 1
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[:place]
    return text


def size(path, text):
    limit = (HEADER_LINES if path.endswith(".h") else
             PYTHON_LINES if path.endswith(".py") else SOURCE_LINES)
    count = len(text.splitlines())
    return [f"{path}: {count} lines, at most {limit}"] if count > limit else []


def opening(text):
    """How many lines of comment a file begins with."""
    lines = text.splitlines()
    return next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))


def has_head(text):
    """Whether a source says what it computes: before its includes, or right after them."""
    lines = text.splitlines()
    last = max((i for i, line in enumerate(lines) if INCLUDE.match(line)), default=-1)
    after = "\n".join(lines[last + 1:]).lstrip()
    return max(opening(text), opening(after)) >= HEAD_LINES


def strip_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"', "", text, flags=re.S)


def structs(text):
    """(name, names of its data members) of each struct."""
    text = strip_comments(text)
    found = []
    for match in STRUCT.finditer(text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        body = text[match.end():end - 1]
        while (flat := re.sub(r"\{[^{}]*\}|\([^()]*\)", "", body)) != body:
            body = flat
        found.append((match[1], {name for statement in body.split(";")
                                 for name in re.findall(r"(?:^|[\s>*&,])(\w+)\s*(?:=[^,]*)?(?=,|$)", statement)}))
    return found


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
    left_out = {posixpath.normpath(f"{folder}/{word}")
                for part in clause.findall(text) for word in part.split()}
    text = clause.sub("", text)
    words = [posixpath.normpath(f"{folder}/{word}")
             for word in re.findall(r"[\w/.*-]+\.cc\b", text)]
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


def unknown_runs(sanitizers, lists):
    """Complaints about names in cmake/Sanitizers.cmake that no test has. `lists`: as above."""
    runs = set()
    for text in map(strip_cmake_comments, lists.values()):
        runs.update(re.findall(r"\bsg_test\(\s*([\w-]+)", text))
        runs.update(".".join(pair) for pair in re.findall(r"\bsg_test_part\(\s*([\w-]+)\s+([\w-]+)", text))
    text = strip_cmake_comments(sanitizers)
    named = re.findall(r"\bSG_THREAD_(?:WITHOUT|ONLY)_([\w.-]*\w)(?=\s)", text)
    for names in re.findall(r"\b(?:set\(SG_\w+_TESTS|list\(APPEND SG_LEFT_OUT)\s([^)]*)\)", text):
        named += re.findall(r"[\w.-]+", re.sub(r"\$\{\w+\}", "", names))
    return [f"cmake/Sanitizers.cmake: '{name}' is no test: expected a program of sg_test, or "
            "program.part of sg_test_part" for name in sorted(set(named) - runs)]


def unknown_cases(lists, sources):
    """Complaints about cases, of a part of a program or of cmake/Sanitizers.cmake, that no test has.
    `lists`: texts by path; `sources`: the texts of tests."""
    cases = {".".join(pair) for text in sources for pair in
             re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", text, re.MULTILINE)}
    complaints = []
    for path, text in sorted(lists.items()):
        text = strip_cmake_comments(text)
        named = re.findall(r"\bset\(SG_THREAD_(?:WITHOUT|ONLY)_[\w.-]+\s([^)]*)\)", text)
        named += re.findall(r"\bCASES\s([^)]*?)(?=\s[A-Z]+\s|\))", text)
        for pattern in " ".join(named).split():
            whole = pattern if "." in pattern or "*" in pattern else f"{pattern}.*"
            if not fnmatch.filter(cases, whole):
                complaints.append(f"{path}: no test has the case '{pattern}'")
    return complaints


def static_constructors(readelf_text):
    """Names of object files with a section of constructors, from `readelf -S --wide`."""
    found, current = [], None
    for line in readelf_text.splitlines():
        if line.startswith("File: "):
            current = line[len("File: "):].strip()
        elif re.search(r"\s\.(init_array|ctors)\b", line) and current not in found:
            found.append(current)
    return found


RULES = (direction, heavy, doors, internal, error_codes, casts, size, virtuals, first_words)
