"""Docstrings in Google's style as functions from Python texts, stubs included, to complaints."""
import ast
import re

# A section begins with its name at the docstring's margin; its entries are indented.
SECTION = re.compile(r"^(Args|Returns|Yields|Raises|Attributes|Example):\s*$", re.MULTILINE)
ENTRY = re.compile(r"^ {4}\*{0,2}(\w+):", re.MULTILINE)
UNNAMED = re.compile(r"\barg\d+\b")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def sections(docstring):
    """Section name to text."""
    parts = SECTION.split(docstring)
    return dict(zip(parts[1::2], parts[2::2]))


def _decorators(node):
    return {ast.unparse(decorator).split("(")[0].rsplit(".", 1)[-1]
            for decorator in node.decorator_list}


def _parameters(node, is_method):
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    if is_method and "staticmethod" not in _decorators(node):
        plain = plain[1:]
    more = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [one.arg for one in [*plain, *arguments.kwonlyargs, *more]]


def _raises(node):
    """Whether its own body, without functions in it, raises something by name."""
    left = list(node.body)
    while left:
        part = left.pop()
        if isinstance(part, ast.Raise) and part.exc is not None:
            return True
        if not isinstance(part, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            left += ast.iter_child_nodes(part)
    return False


def _missing(name, wanted, text):
    known = set(ENTRY.findall(text or ""))
    return [f"{name} lacks {one}" for one in wanted if one not in known]


def _callable(where, node, is_method):
    decorators = _decorators(node)
    if "setter" in decorators:
        return []
    docstring = ast.get_docstring(node) or ""
    parameters = _parameters(node, is_method)
    if node.name == "__init__" and not parameters:
        return []
    if not docstring:
        return [f"{where}: no docstring"]
    if decorators & {"property", "cached_property"}:
        return []
    found = sections(docstring)
    complaints = _missing("Args", parameters, found.get("Args"))
    gives = node.returns is not None and ast.unparse(node.returns) not in ("None", "typing.NoReturn")
    if gives and not {"Returns", "Yields"} & set(found):
        complaints.append("no Returns")
    if _raises(node) and "Raises" not in found:
        complaints.append("no Raises")
    return [f"{where}: {complaint}" for complaint in complaints]


def _is_public(name):
    return not name.startswith("_") or name in ("__init__", "__call__")


def _class(where, node, is_shown):
    docstring = ast.get_docstring(node) or ""
    complaints = [] if docstring else [f"{where}: no docstring"]
    found = sections(docstring)
    if "dataclass" in _decorators(node):
        fields = [part.target.id for part in node.body if isinstance(part, ast.AnnAssign)]
        complaints += [f"{where}: {one}"
                       for one in _missing("Attributes", fields, found.get("Attributes"))]
    methods = [part for part in node.body if isinstance(part, FUNCTIONS)]
    is_made = any(part.name == "__init__" or "abstractmethod" in _decorators(part)
                  for part in methods)
    if is_shown and is_made and "Example" not in found:
        complaints.append(f"{where}: no Example")
    for part in methods:
        if _is_public(part.name):
            complaints += _callable(f"{where}.{part.name}", part, is_method=True)
    return complaints


def complaints(path, text, shown=None):
    """What its public callables lack; of `shown` classes, or of all, an example too."""
    found = []
    for node in ast.parse(text).body:
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)) or node.name.startswith("_"):
            continue
        where = f"{path}: {node.name}"
        if isinstance(node, ast.ClassDef):
            found += _class(where, node, shown is None or node.name in shown)
        else:
            found += _callable(where, node, is_method=False)
    return found


def unnamed(path, text):
    """Complaints about arguments of native functions that have no name."""
    return [f"{path}:{number}: found {match[0]}, expected the argument's name"
            for number, line in enumerate(text.splitlines(), 1)
            for match in UNNAMED.finditer(line)]
