"""Old names, as docs/design/glossary.md lists them: from its table and a text to complaints."""
import re

SEGMENT = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+|_+")
IDENT = re.compile(r"[A-Za-z_]\w*")
CELL = re.compile(r"`([^`]+)`")
# Strings of any kind, then comments: what is left is code.
CC = re.compile(r'(?P<string>R"(?P<mark>[^()\\\s"]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*")'
                r"|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<char>(?<!\w)'(?:\\.|[^'\\\n])+')", re.DOTALL)
PYTHON = re.compile(r'(?P<string>"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"'
                    r"|'(?:\\.|[^'\\\n])*')|(?P<comment>#[^\n]*)", re.DOTALL)
# A string that begins a line.
DOCSTRING = re.compile(r'^[ ]*"""(?:\\.|[^\\])*?"""', re.MULTILINE)
# A test's second name is a sentence.
SENTENCE = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*\w+\)")
# They are there for old names.
EXCUSED = re.compile(r"(?:^|/)old_names(?:_test)?\.\w+$|^docs/design/glossary\.md$|^tests/lint/words(?:_test)?\.py$"
                     r"|^env/base/memory(?:_file)?\.h$")


class Words:
    """Old identifiers, parts of identifiers, modules, and words of prose, each with its new name."""

    def __init__(self, glossary):
        self.whole, self.part, self.modules, self.never, self.known = {}, {}, {}, {}, {}
        for line in glossary.splitlines():
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) != 4 or not cells[0].startswith("`"):
                continue
            new = cells[1].replace("`", "")
            for old in CELL.findall(cells[0]):
                if old.startswith("…"):
                    self.part[tuple(SEGMENT.findall(old.strip("…")))] = new
                elif "." in old:
                    self.modules[old] = new
                else:
                    self.whole[old] = new
            for word in cells[3].removeprefix("*never*").split(","):
                if word.strip():
                    self.never[word.strip()] = new

    def identifier(self, name):
        """The new name of an old one, or None."""
        if name not in self.known:
            self.known[name] = self._new(name)
        return self.known[name]

    def _new(self, name):
        if name in self.whole:
            return self.whole[name]
        segments = SEGMENT.findall(name)
        for part, new in self.part.items():
            for at in range(len(segments) - len(part) + 1):
                found = tuple(segments[at:at + len(part)])
                if found == part or found == part[:-1] + (part[-1] + "s",):
                    return new
        return None

    def prose(self, path, text):
        text = text.lower()
        return [f"{path}: '{word}', which the glossary calls {new}"
                for word, new in self.never.items()
                if word in text and re.search(rf"(?<![\w`./-]){word}s?(?![\w`(/-])", text)]

    def printed(self, place, text):
        """Of a text that users read: prose, in which identifiers and keys stand."""
        found = []
        for name in sorted(set(IDENT.findall(text))):
            new = self.identifier(name) or next(
                (self.never[part.lower()] for part in name.split("_") if part.lower() in self.never), None)
            if new:
                found.append(f"{place}: {name}, which the glossary calls {new}")
        return found + self.prose(place, text)


def complaints(path, text, words):
    """Of a source of C++ or Python, or of a page."""
    if EXCUSED.search(path):
        return []
    if path.endswith(".md"):
        return words.prose(path, re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE))
    pattern, comments = (PYTHON, DOCSTRING.findall(text)) if path.endswith(".py") else (CC, [])

    def take(match):
        if match.lastgroup == "comment":
            comments.append(match.group())
        return " " if match.lastgroup == "comment" else '""'
    code = SENTENCE.sub(r"TEST(\1)", pattern.sub(take, text))
    found = [f"{path}: {name}, which the glossary calls {new}"
             for name in sorted(set(IDENT.findall(code))) if (new := words.identifier(name))]
    for old, new in words.modules.items():
        package, name = old.rsplit(".", 1)
        if name not in code:
            continue
        if (re.search(rf"\b{re.escape(old)}\b", code) or re.search(
                rf"\bfrom {re.escape(package)} import (?:\([^)]*|[^\n(]*)\b{name}\b", code)):
            found.append(f"{path}: {old}, which the glossary calls {new}")
    return found + words.prose(path, "\n".join(comments))
