"""What a search on a machine ends with, by its records."""
import types
import unittest

try:
    from schedulegym.studies.chosen import chosen_of
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None


def record(key, ratio):
    return types.SimpleNamespace(state_key=key, measurement=types.SimpleNamespace(
        ok=ratio is not None, ratio=ratio))


class ChosenTest(unittest.TestCase):
    def test_the_fastest_of_those_measured_again(self):
        lucky, good, luckier = record("a", 3.0), record("b", 2.0), record("c", 4.0)
        again = record("a", 1.5), record("b", 1.9)
        self.assertIs(chosen_of([lucky, good, luckier, *again]), again[1])

    def test_the_last_reading_is_the_truest(self):
        last = record("a", 1.2)
        self.assertIs(chosen_of([record("a", 1.0), record("a", 3.0), last]), last)

    def test_else_of_all(self):
        good = record("b", 0.5)
        self.assertIs(chosen_of([record("a", 0.25), good, record("c", None)]), good)

    def test_a_failure_is_never_chosen(self):
        good = record("a", 0.5)
        self.assertIs(chosen_of([good, record("b", 2.0), record("b", None)]), good)
        self.assertIsNone(chosen_of([record("a", None)]))
        self.assertIsNone(chosen_of([]))


if __name__ == "__main__":
    unittest.main()
