"""The rules themselves: each one catches what it is for and lets the rest pass."""
import unittest
import unittest.mock

import rules
from limited_case import LimitedTest


class RulesTest(LimitedTest):
    def test_an_arrow_upwards_is_refused(self):
        text = '#include "env/schedule/state.h"\n#include "env/base/text.h"\n'
        complaints = rules.direction("env/program/affine.cc", text)
        self.assertEqual(len(complaints), 1)
        self.assertIn("env/schedule/state.h", complaints[0])

    def test_spokes_never_include_each_other(self):
        self.assertTrue(rules.direction("agents/a.cc", '#include "spaces/tiles.h"'))
        self.assertTrue(rules.direction("spaces/a.cc", '#include "backends/backend.h"'))
        self.assertTrue(rules.direction("backends/llvm/a.cc", '#include "env/schedule/state.h"'))
        self.assertFalse(rules.direction("backends/llvm/a.cc", '#include "backends/backend.h"'))
        self.assertFalse(rules.direction("experiments/plugins/a/a.cc", '#include "a.h"'))
        self.assertTrue(rules.direction("experiments/plugins/a/a.cc", '#include "tests/a.h"'))
        self.assertTrue(rules.direction("experiments/cli/a.cc", '#include "a.h"'))

    def test_the_longest_folder_decides(self):
        self.assertEqual(rules.folder_rule("backends/runner/a.cc"), "backends/runner")
        self.assertEqual(rules.folder_rule("backends/runner/below/a.cc"), "backends/runner")
        self.assertIsNone(rules.folder_rule("tests/env/base/text_test.cc"))

    def test_a_name_that_only_begins_like_a_folder_is_no_part_of_it(self):
        self.assertTrue(rules.direction("env/program/a.cc", '#include "env/basement/a.h"'))

    def test_heavy_headers_are_for_sources(self):
        for header in ("llvm/IR/Module.h", "sqlite3.h", "CLI/CLI.hpp", "cuda_runtime.h", "cblas.h",
                       "nlohmann/json.hpp", "spdlog/spdlog.h", "torch/torch.h"):
            text = f"#include <{header}>\n"
            self.assertTrue(rules.heavy("env/base/a.h", text), header)
            self.assertFalse(rules.heavy("tests/env/base/a_test.cc", text), header)
        self.assertFalse(rules.heavy("env/base/a.h", "#include <vector>"))

    def test_a_source_names_heavy_libraries_that_its_row_lists(self):
        text = "#include <sqlite3.h>\n"
        self.assertTrue(rules.heavy("env/base/a.cc", text))
        self.assertFalse(rules.heavy("assembly/host/a.cc", "#include <vector>\n"))
        self.assertFalse(rules.heavy("bindings/a.cc", "#include <pybind11/stl.h>\n"))

    def test_a_head_stands_before_the_includes_or_right_after(self):
        head, include = "// a\n// b\n// c\n", '#include "env/base/a.h"\n'
        self.assertTrue(rules.has_head(head + include))
        self.assertTrue(rules.has_head(include + "\n" + head + "namespace a {}\n"))
        self.assertFalse(rules.has_head("// a\n// b\n" + include))
        self.assertFalse(rules.has_head(include + "namespace a {\n" + head + "}\n"))
        self.assertFalse(rules.has_head(""))

    def test_no_cast_asks_what_an_object_is(self):
        for cast in ("dynamic_cast<A*>(b)", "std::dynamic_pointer_cast<A>(b)"):
            self.assertTrue(rules.casts("agents/a.cc", f"auto* a = {cast};\n"), cast)
            self.assertFalse(rules.casts("tests/agents/a_test.cc", f"auto* a = {cast};\n"), cast)
        self.assertFalse(rules.casts("agents/a.cc", '// dynamic_cast<A*>\nauto a = "dynamic_cast";\n'))

    def test_structs_have_members(self):
        text = """struct A { int a = 1, b; std::vector<int> c; // int d
                    std::map<int, int> e = {}; int f() const { int g; return 1; } Spec h{"x", {}}; };
                  struct B; struct C : A { std::optional<int> i; struct D { int j; }; };"""
        self.assertEqual([name for name, _ in rules.structs(text)], ["A", "C", "D"])
        members = dict(rules.structs(text))
        self.assertLessEqual({"a", "b", "c", "e", "h"}, members["A"])
        self.assertFalse(members["A"] & {"d", "g"})
        self.assertEqual((members["C"] & {"i", "j"}, members["D"]), ({"i"}, {"j"}))

    def test_calls_of_the_file_system_have_an_error_code(self):
        for call in ("fs::exists(path)", "std::filesystem::file_size(Path(a, b))",
                     "fs::directory_iterator files(path)", "std::filesystem::temp_directory_path()"):
            self.assertTrue(rules.error_codes("env/base/a.cc", f"const auto a = {call};\n"), call)
            self.assertFalse(rules.error_codes("tests/env/a_test.cc", f"const auto a = {call};\n"))
        for call in ("fs::exists(path, error)", "fs::exists(status)", "fs::path(name).filename()",
                     "fs::recursive_directory_iterator()", "fs::directory_iterator files(path, error)"):
            text = f"std::error_code error;\nconst fs::file_status status;\nreturn {call};\n"
            self.assertFalse(rules.error_codes("env/base/a.cc", text), call)

    def test_the_table_has_no_circle(self):
        self.assertEqual(rules.arrow_circles(), [])
        with unittest.mock.patch.dict(rules.ROOMS["env/base"], {"includes": ["env/lower"]}):
            self.assertIn("env/lower", rules.arrow_circles())

    def test_a_registry_may_include_the_rooms_below_its_folder(self):
        row = {"registry": ["list.cc"], "includes": []}
        with unittest.mock.patch.dict(rules.ROOMS, {"a": row, "a/b": {"includes": []}}):
            self.assertFalse(rules.direction("a/list.cc", '#include "a/b/c.h"'))
            self.assertTrue(rules.direction("a/other.cc", '#include "a/b/c.h"'))

    def test_headers_of_tests_may_name_the_test_framework(self):
        self.assertFalse(rules.heavy("tests/support/a.h", "#include <gtest/gtest.h>"))
        self.assertTrue(rules.heavy("env/base/a.h", "#include <gtest/gtest.h>"))

    def test_an_internal_header_may_name_its_own_library(self):
        text = "#include <llvm/IR/IRBuilder.h>"
        self.assertFalse(rules.heavy("backends/llvm/emit_internal.h", text))
        self.assertTrue(rules.heavy("backends/llvm/emit.h", text))
        self.assertTrue(rules.heavy("env/base/emit_internal.h", text))
        self.assertTrue(rules.heavy("backends/llvm/emit_internal.h", "#include <sqlite3.h>"))

    def test_one_source_includes_the_json_library(self):
        text = "#include <nlohmann/json.hpp>\n"
        self.assertFalse(rules.doors("env/base/json.cc", text))
        self.assertFalse(rules.doors("env/gym/tables/table_file.cc", '#include "env/base/json.h"'))
        for path in ("env/gym/tables/table_file.cc", "env/measure/store/json_fields_internal.h",
                     "tests/env/base/json_test.cc"):
            self.assertTrue(rules.doors(path, text), path)

    def test_internal_headers_stay_in_their_folder(self):
        text = '#include "backends/llvm/emit_internal.h"'
        self.assertFalse(rules.internal("backends/llvm/emit.cc", text))
        self.assertFalse(rules.internal("backends/llvm/other_internal.h", text))
        self.assertTrue(rules.internal("backends/llvm/llvm_backend.h", text))
        self.assertTrue(rules.internal("experiments/cli/show.cc", text))

    def test_sizes(self):
        self.assertFalse(rules.size("a.h", "x\n" * 250))
        self.assertTrue(rules.size("a.h", "x\n" * 251))
        self.assertFalse(rules.size("a.cc", "x\n" * 500))
        self.assertTrue(rules.size("a.cc", "x\n" * 501))

    def test_virtual_functions_are_counted_in_their_own_class(self):
        body = "virtual ~A() = default;\n" + "virtual void F() = 0;\n" * 6
        self.assertFalse(rules.virtuals("a.h", f"class A {{ {body} }};\nclass B {{ {body} }};"))
        self.assertTrue(rules.virtuals("a.h", f"class A : public C {{ {body} virtual int G(); }};"))
        self.assertFalse(rules.virtuals("a.h", f"class A {{ {body} // virtual int G();\n }};"))

    def test_headers_say_what_they_are(self):
        self.assertFalse(rules.first_words("a.h", "// A: a thing.\n#pragma once\n"))
        self.assertEqual(len(rules.first_words("a.h", "int a;\n")), 2)

    def test_tests_that_nobody_builds_are_found(self):
        lists = {"tests/CMakeLists.txt": "add_subdirectory(a)\nadd_subdirectory(b/c)\n",
                 "tests/a/CMakeLists.txt": "sg_test(a SOURCES one_test.cc d/two_test.cc)\n",
                 "tests/b/c/CMakeLists.txt": "sg_test(c\n  SOURCES three_test.cc  # four_test.cc\n)"}
        tests = ["tests/a/one_test.cc", "tests/a/d/two_test.cc", "tests/b/c/three_test.cc"]
        self.assertEqual(rules.forgotten_tests(lists, tests), [])
        self.assertEqual(len(rules.forgotten_tests(lists, tests + ["tests/b/c/four_test.cc"])), 1)
        self.assertEqual(len(rules.forgotten_tests(lists, tests + ["tests/one_test.cc"])), 1)
        lists["tests/CMakeLists.txt"] = "add_subdirectory(a)\n# add_subdirectory(b/c)\n"
        complaints = rules.forgotten_tests(lists, tests)
        self.assertEqual(len(complaints), 2)
        self.assertIn("tests/b/c/CMakeLists.txt", complaints[0])
        self.assertIn("three_test.cc", complaints[1])

    def test_tests_may_be_named_by_patterns(self):
        lists = {"tests/CMakeLists.txt": "sg_test(a SOURCES *_test.cc b/*.cc EXCEPT two_test.cc LINKS c)"}
        built = ["tests/one_test.cc", "tests/b/three_test.cc"]
        self.assertEqual(rules.forgotten_tests(lists, built), [])
        for forgotten in ("tests/two_test.cc", "tests/b/c/four_test.cc"):
            self.assertEqual(rules.forgotten_tests(lists, built + [forgotten]),
                             [f"{forgotten}: no CMakeLists.txt names it"])

    def test_patterns_may_lead_out_of_the_folder(self):
        lists = {"tests/CMakeLists.txt": "add_subdirectory(a)",
                 "tests/a/CMakeLists.txt": "sg_test(a SOURCES ../b/*_test.cc)"}
        self.assertEqual(rules.forgotten_tests(lists, ["tests/b/one_test.cc"]), [])
        self.assertEqual(len(rules.forgotten_tests(lists, ["tests/a/one_test.cc"])), 1)

    def test_runs_that_sanitizers_name_exist(self):
        lists = {"tests/CMakeLists.txt": "sg_test(a_test SOURCES b.cc)\n"
                                         "sg_test_part(a_test part CASES One)\n"}
        text = ("set(SG_SANITIZED_TESTS a_test a_test.part)\nset(SG_THREAD_WITHOUT_a_test.part One)\n"
                "list(APPEND SG_LEFT_OUT a_test)\n")
        self.assertEqual(rules.unknown_runs(text, lists), [])
        for wrong in ("set(SG_THREAD_TESTS a_test b_test)", "list(APPEND SG_LEFT_OUT b_test)",
                      "set(SG_THREAD_ONLY_b_test One)"):
            complaints = rules.unknown_runs(text + wrong, lists)
            self.assertEqual(len(complaints), 1)
            self.assertIn("'b_test'", complaints[0])

    def test_cases_that_are_named_exist(self):
        sources = ["TEST(One, IsSo) {}\nTEST_P(Two, IsSo) {}\n"]
        lists = {"CMakeLists.txt": "sg_test_part(a b\n  CASES One Two.IsSo\n  SECONDS 3)\n"
                                   "set(SG_THREAD_ONLY_a *Is*)\n"}
        self.assertEqual(rules.unknown_cases(lists, sources), [])
        for wrong in ("sg_test_part(a c CASES Three)", "sg_test_part(a c CASES One.Is SHARDS 2)",
                      "set(SG_THREAD_WITHOUT_a Three)"):
            self.assertEqual(len(rules.unknown_cases({"CMakeLists.txt": wrong}, sources)), 1, wrong)

    def test_types_of_one_name_are_found(self):
        one = ("a/one.h", "namespace x {\nstruct Place {\n  struct Inner {};\n};\nclass Later;\n}")
        other = ("b/other.h", "namespace x {\nstruct Inner {};\nclass Later : public Place {\n};\n}")
        self.assertEqual(rules.twice_defined([one, other]), [])
        third = ("c/third.h", "enum class Place : uint8_t { kHere };\n")
        self.assertEqual(rules.twice_defined([one, other, third]),
                         ["Place is defined in a/one.h, c/third.h"])
        alias = ("d/alias.h", "using Place = int;\n  using Later = int;\n")
        self.assertEqual(rules.twice_defined([one, other, alias]),
                         ["Place is defined in a/one.h, d/alias.h"])

    def test_constructors_are_found_by_file(self):
        text = ("File: one.o\n  [ 5] .text PROGBITS\nFile: two.o\n"
                "  [ 6] .init_array INIT_ARRAY\n  [ 7] .rela.init_array RELA\n")
        self.assertEqual(rules.static_constructors(text), ["two.o"])


if __name__ == "__main__":
    unittest.main()
