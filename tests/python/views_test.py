"""What list, show, doctor and records print."""
import unittest

from harness import ProgramTest

MATMUL = "matmul(m=64,n=64,k=64)"


class ViewsTest(ProgramTest):
    def items(self, *words):
        events = self.events(*words)
        self.assertTrue(all(e["event"] == "item" for e in events))
        return {e["name"]: e for e in events}

    def test_list_tells_what_exists(self):
        for kind, some in [("workloads", {"matmul", "conv2d", "softmax"}),
                           ("primitives", {"split", "compute_at", "pack", "rfactor"}),
                           ("agents", {"random"}), ("spaces", {"schedulegym", "ansor"}),
                           ("schedulers", {"round_robin"}),
                           ("targets", {"llvm", "interpreter", "cuda", "opencl"}),
                           ("suites", {"ansor_ops", "ansor_subgraphs", "smoke", "expert"}),
                           ("observations", {"loops", "ansor", "tokens", "history", "task",
                                             "text"}),
                           ("environments", {"ScheduleGym/Construct-v0", "ScheduleGym/ModifyModel-v0"})]:
            with self.subTest(kind=kind):
                items = self.items("list", kind)
                self.assertLessEqual(some, set(items))
                for item in items.values():
                    self.assertTrue(item["description"])
                    self.assertIn("parameters", item)

    def test_every_command_has_help(self):
        overview = self.succeed("--help")
        for command in ("tune", "replay", "show", "show-tree", "export", "list", "records", "bench", "doctor"):
            self.assertIn(f"  {command} ", overview)
            text = self.succeed(command, "--help")
            for option in ("--target", "--seed", "--store", "--json", "--quiet"):
                self.assertIn(option, text)

    def test_show_without_a_record_is_the_reference(self):
        for view, part in [("dag", "sum("), ("loops", "parallel"), ("source", "allocate"),
                           ("ir", "define"), ("asm", ".text"), ("features", "float_add"),
                           ("trace", "trace 1"), ("actions", "0: stop")]:
            with self.subTest(view=view):
                self.assertIn(part, self.items("show", MATMUL, "--as", view)[view]["text"])

    def test_a_dag_shown_is_a_dag_again(self):
        text = self.succeed("show", MATMUL, "--as", "dag")
        self.write("again.dag", text)
        self.assertEqual(self.succeed("show", "again.dag", "--as", "dag"), text)
        keys = {self.items("show", w, "--as", "dag")["dag"]["task"] for w in (MATMUL, "again.dag")}
        self.assertEqual(len(keys), 1)

    def test_a_trace_shown_is_a_trace_again(self):
        trace = self.succeed("show", MATMUL, "--as", "trace")
        self.assertEqual(self.succeed("show", MATMUL, "--as", "trace", "--trace", "-", stdin=trace),
                         trace)

    def test_the_interpreter_has_loops_but_no_assembly(self):
        self.succeed("show", MATMUL, "--as", "loops", "--target", "interpreter")
        self.assertIn("asm", self.refused(2, "show", MATMUL, "--as", "asm", "--target",
                                          "interpreter"))

    def test_a_device_that_is_not_there(self):
        self.refused(2, "show", MATMUL, "--as", "asm", "--target", "opencl")
        self.refused(3, "tune", MATMUL, "--target", "cuda(card=a100)", "--trials", "1")

    def test_doctor_examines_the_machine(self):
        items = self.items("doctor")
        self.assertGreaterEqual(items["cores"]["usable"], 1)
        self.assertGreater(items["caches"]["l1_bytes"], 0)
        self.assertGreater(items["clock"]["step_seconds"], 0)
        self.assertTrue(items["backend interpreter"]["ready"])
        self.assertIn(items["grade"]["grade"], ("A", "B", "C"))
        self.assertGreaterEqual(items["grade"]["runs"], 5)
        self.assertEqual(items["store"]["path"], "schedulegym.db")
        for name in ("frequency", "turbo", "hyper-threads", "load", "steal", "throttling",
                     "counters", "huge pages", "addresses", "memory nodes", "swap", "sqlite",
                     "linker", "measuring lock"):
            self.assertIn(name, items)
        for item in items.values():
            self.assertIn("value", item)
            self.assertIn("advice", item)


if __name__ == "__main__":
    unittest.main()
