"""The hash of public headers: of what the compiler sees, not of comments."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = f"""
cmake_minimum_required(VERSION 3.20)
include({ROOT}/cmake/PublicHeaders.cmake)
sg_hash_headers(hash ${{FOLDER}} a.h)
message("${{hash}}")
"""
HEADER = """// A door; of "quotes.
#pragma once

/* More
 * of it. */
#define A(x) \\
  x
inline int items[2] = {1, 2};  // two
inline const char* url = "http://x\\"//y";
inline char quote = '"';  // it's one
"""


class PublicHeadersTest(unittest.TestCase):
    def hash_of(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "a.h").write_text(text)
            (path / "hash.cmake").write_text(SCRIPT)
            done = subprocess.run(["cmake", "-D", f"FOLDER={folder}", "-P", path / "hash.cmake"],
                                  capture_output=True, text=True, check=True)
            return done.stderr.strip()

    def changed(self, old, new):
        self.assertIn(old, HEADER)
        return self.hash_of(HEADER.replace(old, new))

    def test_comments_and_empty_lines_do_not_count(self):
        same = self.hash_of(HEADER)
        self.assertRegex(same, r"\A[0-9a-f]{64}\Z")
        for old, new in (("A door; of", "[The] door of; ["), ("  // two", ""), ("// it's one", "// it"),
                         ("// two", "// two\n// of them"), (" * of it. */\n", " */\n\n\n"),
                         ("/* More\n * of it. */\n", ""), ("2};", "2}; /* ; */")):
            self.assertEqual(self.changed(old, new), same, (old, new))

    def test_code_counts(self):
        same = self.hash_of(HEADER)
        for old, new in (("items[2]", "items[3]"), ("1, 2", "1; 2"), ("{1", "[1"), ("//y", "//z"),
                         ("'\"'", "'\\''"), ("\\\n  x", "\\\n  y"), ("inline char", "static char"),
                         ("2};", "2}")):
            self.assertNotEqual(self.changed(old, new), same, (old, new))


if __name__ == "__main__":
    unittest.main()
