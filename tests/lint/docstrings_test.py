"""Public callables of the Python package say what they take, give and raise.

usage: docstrings_test.py SOURCE_DIR
"""
import ast
import pathlib
import sys
import unittest

import docstrings
from limited_case import LimitedTest

PACKAGE = pathlib.Path(sys.argv[1]).resolve() / "bindings/schedulegym"
FUNCTION = '''
def halved(count, *, least=1, **others) -> int:
    """Halves.

    Args:
        count: Of things.
        least: At least.
        **others: Not looked at.

    Returns:
        The half.

    Raises:
        ValueError: It is odd.
    """
    if count % 2:
        raise ValueError(count)
    return count // 2
'''
CLASS = '''
class Box:
    """A box.

    Example:
        >>> Box(2)
    """

    def __init__(self, size):
        """Makes a box.

        Args:
            size: In elements.
        """

    @property
    def size(self) -> int:
        """In elements."""

    def _hidden(self, a) -> int: ...
'''


def exported():
    """The names of the package's __all__."""
    for node in ast.parse((PACKAGE / "__init__.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    raise AssertionError("no __all__")


class RuleTest(LimitedTest):
    def found(self, text, **options):
        return docstrings.complaints("a.py", text, **options)

    def test_what_is_whole_passes(self):
        self.assertEqual(self.found(FUNCTION), [])
        self.assertEqual(self.found(CLASS), [])

    def test_each_section_is_missed(self):
        for old, new, complaint in (
                ("        least: At least.\n", "", "Args lacks least"),
                ("        **others: Not looked at.\n", "", "Args lacks others"),
                ("    Returns:\n        The half.\n", "", "no Returns"),
                ("    Raises:\n        ValueError: It is odd.\n", "", "no Raises")):
            self.assertIn(old, FUNCTION)
            self.assertEqual(self.found(FUNCTION.replace(old, new)), [f"a.py: halved: {complaint}"])
        self.assertEqual(self.found("def a(): ..."), ["a.py: a: no docstring"])

    def test_a_class_has_an_example_and_documented_fields(self):
        bare = CLASS.replace("    Example:\n        >>> Box(2)\n", "")
        self.assertEqual(self.found(bare), ["a.py: Box: no Example"])
        self.assertEqual(self.found(bare, shown={"Other"}), [])
        self.assertEqual(
            self.found('@dataclasses.dataclass\nclass A:\n    """An a."""\n    b: int\n'),
            ["a.py: A: Attributes lacks b"])

    def test_native_arguments_have_names(self):
        self.assertEqual(len(docstrings.unnamed("a.pyi", "def a(self, arg0: int): ...\n")), 1)
        self.assertFalse(docstrings.unnamed("a.pyi", "def a(self, argument: int): ...\n"))


class TreeTest(LimitedTest):
    def test_the_package(self):
        # Modules that begin with _ are for the package alone.
        texts = {str(path.relative_to(PACKAGE)): path.read_text() for path in sorted([*PACKAGE.glob("*.py"), *PACKAGE.glob("data/*.py")])
                 if path.name == "__init__.py" or not path.name.startswith("_")}
        self.assertGreater(len(texts), 10)
        self.assertEqual([complaint for name, text in texts.items()
                          for complaint in docstrings.complaints(name, text)], [])

    def test_the_extension(self):
        text = (PACKAGE / "_schedulegym.pyi").read_text()
        shown = exported()
        self.assertGreater(len(shown), 30)
        self.assertEqual(docstrings.complaints("_schedulegym.pyi", text, shown), [])
        self.assertEqual(docstrings.unnamed("_schedulegym.pyi", text), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
