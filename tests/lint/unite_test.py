"""Which sources are compiled as one."""
import pathlib
import sys
import tempfile
import unittest

from limited_case import LimitedTest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
import unite  # noqa: E402

FILE = """#include "env/base/result.h"
%s
namespace schedulegym {
namespace {

%s

}  // namespace

int %s() { return Helper(1); }

}  // namespace schedulegym
"""


class NamesTest(LimitedTest):
    def names(self, region, top=""):
        return unite.own_names(FILE % (top, region, "Shown"))

    def test_what_a_nameless_namespace_declares(self):
        region = """constexpr int kMost = 3;
constexpr std::string_view kWords[] = {"a"};
constexpr const char* kLong =
    "b";
std::optional<int> Least(const std::vector<int>& of) {
  int inside = Other(of);
  return inside;
}
template <typename T>
T Twice(T value) { return 2 * value; }
struct Point {
  int row = 0;
};
enum class Side { kLeft };
using Row = std::vector<int>;
using testing::ElementsAre;
const std::map<int, int>
    kTable = {};
std::vector<std::pair<int, int>>
Pairs(int count);"""
        self.assertEqual(self.names(region),
                         {"kMost", "kWords", "kLong", "Least", "Twice", "Point", "Side", "Row", "Pairs"})

    def test_tests_are_names(self):
        region = "TEST(PointTest, Adds) {\n}\nTEST_F(RowTest, Ends) {\n}"
        self.assertEqual(self.names(region), {"PointTest_Adds_Test", "RowTest_Ends_Test"})

    def test_members_are_none_of_a_headers_names(self):
        header = """class [[nodiscard]] Reader {
 public:
  int Read() const;
};
[[nodiscard]] int
Least(const Reader& of);
inline constexpr int kMost = 3;
"""
        self.assertEqual(unite.declarations(header), {"Reader", "Least", "kMost"})

    def test_what_all_see_is_nobodys_own(self):
        self.assertNotIn("Shown", self.names("int a = 0;"))

    def test_words_of_comments_and_texts_are_none(self):
        text = 'int a; // b\n/* c */ auto d = "e f" + R"(g)"s + \'h\';'
        self.assertEqual(unite.words(text), {"int", "a", "auto", "d", "s"})


class GroupedTest(LimitedTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, region="int Unlike() { return 0; }", top="", more=""):
        path = self.folder / name
        path.write_text(FILE % (top, region.replace("Unlike", f"Of_{path.stem}"),
                                f"Shown_{path.stem}") + more)
        return str(path)

    def grouped(self, *paths):
        return [[pathlib.Path(path).stem for path in group] for group in unite.grouped(paths, unite.Reader(self.folder))]

    def test_what_has_nothing_in_common_comes_together(self):
        self.assertEqual(self.grouped(*map(self.write, ("a.cc", "b.cc"))), [["a", "b"]])

    def test_one_name_in_two_files_keeps_them_apart(self):
        self.assertEqual(self.grouped(self.write("a.cc", "int Own() { return 0; }"),
                                      self.write("b.cc", "int Own() { return 1; }"),
                                      self.write("c.cc")), [["a", "c"]])

    def test_a_name_that_another_file_declares_for_all_keeps_them_apart(self):
        """There it stands for something else, whichever comes first."""
        a = self.write("a.cc", "int Kind() { return 0; }")
        b = self.write("b.cc", more="int Kind(int of) { return of; }\n")
        self.assertEqual(self.grouped(a, b), [])
        self.assertEqual(self.grouped(b, a), [])

    def test_a_name_of_a_header_that_another_file_sees_keeps_them_apart(self):
        (self.folder / "far.h").write_text("int Kind(int of);\n")
        (self.folder / "near.h").write_text('#include "far.h"\n')
        self.assertEqual(self.grouped(self.write("a.cc", "int Kind() { return 0; }"),
                                      self.write("b.cc", top='#include "near.h"')), [])

    def test_a_member_of_that_name_does_not(self):
        (self.folder / "near.h").write_text("struct Near {\n  int Kind() const;\n};\n")
        self.assertEqual(self.grouped(self.write("a.cc", "int Kind() { return 0; }"),
                                      self.write("b.cc", top='#include "near.h"',
                                                 more="int Of(const Near& n) { return n.Kind(); }\n")),
                         [["a", "b"]])

    def test_a_macro_keeps_apart(self):
        self.assertEqual(self.grouped(self.write("a.cc", top="#define MOST 3"),
                                      self.write("b.cc", more="int MOST = 1;\n")), [])

    def test_other_libraries_keep_apart_the_systems_do_not(self):
        json = [self.write(f"{name}.cc", top="#include <nlohmann/json.hpp>") for name in "ac"]
        self.assertEqual(self.grouped(json[0], self.write("b.cc", top="#include <sys/mman.h>"),
                                      json[1], self.write("d.cc", top="#include <vector>")),
                         [["a", "c"], ["b", "d"]])

    def test_a_group_is_bounded(self):
        paths = [self.write(f"f{i}.cc") for i in range(unite.MOST_SOURCES + 2)]
        self.assertEqual([len(group) for group in self.grouped(*paths)], [unite.MOST_SOURCES, 2])
        large = [self.write(f"l{i}.cc", more="// " + "x" * unite.MOST_BYTES) for i in range(2)]
        self.assertEqual(unite.grouped(large, unite.Reader(self.folder)), [])

    def test_the_list_becomes_properties(self):
        paths = [self.write(f"{name}.cc") for name in "abc"]
        listed, made = self.folder / "list.txt", self.folder / "made.cmake"
        listed.write_text("".join(f"one\t{path}\n" for path in paths) + f"two\t{paths[2]}\n")
        unite.main(listed, made, self.folder)
        text = made.read_text()
        self.assertIn(f'set_source_files_properties("{paths[0]}" "{paths[1]}" TARGET_DIRECTORY one\n', text)
        self.assertIn("UNITY_GROUP one_0)", text)
        self.assertNotIn(paths[2], text)  # of two targets: its group in one means nothing to the other


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
