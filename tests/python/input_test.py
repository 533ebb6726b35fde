"""What the program says to wrong input: one line, exit code 2, nothing written."""
import pathlib
import unittest

from harness import ProgramTest

MATMUL = "matmul(m=8,n=8,k=8)"


class InputTest(ProgramTest):
    def test_a_sketch_that_does_not_exist(self):
        self.assertIn("sketch=99", self.refused(2, "tune", MATMUL, "--space", "ansor", "--agent",
                                                "droplet(sketch=99)"))

    def test_unknown_names_list_what_exists(self):
        for words, nearest in [
            (("tune", "matmull(m=8,n=8,k=8)"), "matmul"),
            (("tune", MATMUL, "--agent", "randon"), "random"),
            (("tune", MATMUL, "--space", "schedulegim"), "schedulegym"),
            (("tune", MATMUL, "--target", "lvm"), "llvm"),
            (("tune", MATMUL, "--trails", "3"), "--trials"),
            (("tun", MATMUL), "tune"),
            (("list", "agent"), "agents"),
            (("show", MATMUL, "--as", "loop"), "loops"),
            (("records", "bests"), "best"),
        ]:
            with self.subTest(words=words):
                self.assertIn(f"did you mean '{nearest}'?", self.refused(2, *words))

    def test_unknown_keys_are_refused(self):
        self.assertIn("mm", self.refused(2, "tune", "matmul(mm=8)"))
        self.assertIn("corse", self.refused(2, "tune", MATMUL, "--target", "llvm(corse=1)"))

    def test_numbers_out_of_range(self):
        for words in [("--trials", "0"), ("--trials", "-1"), ("--trials", "many"),
                      ("--trials", ""), ("--seconds", ""), ("--seconds", "0"), ("--seconds", "-1"), ("--seed", "-1")]:
            with self.subTest(words=words):
                self.assertIn(words[0], self.refused(2, "tune", MATMUL, *words))

    def test_sizes_out_of_range(self):
        for size in ("0", "-8", "99999999999999999999", "1.5", "x"):
            with self.subTest(size=size):
                self.refused(2, "tune", f"matmul(m={size},n=8,k=8)")

    def test_a_tensor_beyond_memory_is_refused_with_its_size(self):
        line = self.refused(2, "tune", "matmul(m=10000000,n=10000000,k=8)")
        self.assertRegex(line, r"bytes|[KMGTP]i?B")

    def test_types(self):
        self.refused(2, "tune", "matmul(m=8,n=8,k=8,dtype=f31)")

    def test_a_target_that_this_build_lacks(self):
        self.assertIn("cuda", self.refused(3, "tune", MATMUL, "--target", "cuda(card=a100)"))

    def test_missing_empty_and_broken_files(self):
        self.assertIn("no.dag", self.refused(2, "tune", "no.dag"))
        self.write("empty.dag", "")
        self.assertIn("empty.dag", self.refused(2, "tune", "empty.dag"))
        self.write("broken.dag", "input A[4]\nB[i:4] = A[i +]\n")
        self.assertRegex(self.refused(2, "tune", "broken.dag"), r"broken\.dag:2:\d+")
        self.write("a.net", "1 matmul(m=8,n=8,k=8)\nmany softmax\n")
        self.assertIn("a.net:2:1", self.refused(2, "tune", "a.net"))
        self.assertIn("no.net", self.refused(2, "tune", "no.net"))
        self.write("b.net", "1 matmul(m=8,n=8,k=8)\n#\n2 matmull(m=8,n=8,k=8)\n")
        line = self.refused(2, "tune", "b.net")
        self.assertIn("b.net:3", line)
        self.assertIn("did you mean 'matmul'?", line)
        self.write("c.net", "1 matmul(m=8,n=8,k=8)\n3\n")
        self.assertIn("c.net:2:2", self.refused(2, "tune", "c.net"))
        self.write("gap.net", "1 matmul(m=8,n=8,k=8)\n\n1 matmul(m=9,n=8,k=8)\n")
        self.assertIn("gap.net:2:1: found an empty line", self.refused(2, "tune", "gap.net"))
        self.write("lost.net", "1 matmul(m=8,n=8,k=8)\n2 lost.dag\n")
        self.write("part.net", "param n = 3\n1 matmul(m=8/n,n=8,k=8)\n")
        for command in ("tune", "bench"):
            for network, expected in [
                ("lost.net", "lost.net:2: cannot read 'lost.dag'"),
                ("lost.net(n=2)", "lost.net:1:1: unknown parameter 'n': expected none"),
                ("part.net", "part.net:2:3: key 'm': found '8/n', which divides 8 by 3"),
                ("resnet50(m=16)", "resnet50.net:1:1: unknown parameter 'm': expected n"),
            ]:
                with self.subTest(command=command, network=network):
                    self.assertIn(expected, self.refused(2, command, network))
        self.write("empty.net", "# nothing\n")
        self.assertIn("empty.net", self.refused(2, "tune", "empty.net"))

    def test_schedulers(self):
        for scheduler, expected in [
            ("gradiant", "did you mean 'gradient'?"),
            ("gradient(objective=latencies)", "expected one of latency, requirement, speedup"),
            ("gradient(alpha=2)", "alpha"),
            ("gradient(objective=requirement)", "'requirement' is missing"),
            ("gradient(gama=1)", "expected one of mode, alpha, beta"),
            ("round_robin(alpha=1)", "alpha"),
            ("random(slot=trials(n=0))", "expected at least 1 trial"),
            ("dynamic_random(slot=minutes)", "expected turn, trials(n=N) or seconds(s=S)"),
            ("dynamic_round_robin(task_patience=-1)", "at least 0"),
            ("dynatune(curve_model=logpower)", "did you mean 'log_power'?"),
            ("dynatune(slot=seconds(s=0))", "more than 0 seconds"),
            ("dynatune(mode=paper)", "expected one of improved, faithful"),
            ("dynatune(walkers=0)", "expected an integer from 2 to 10000"),
        ]:
            with self.subTest(scheduler=scheduler):
                self.assertIn(expected, self.refused(2, "tune", MATMUL, "--scheduler", scheduler))

    def test_agents_that_search_trees(self):
        table = pathlib.Path(__file__).parents[2] / "bindings/schedulegym/tables/matmul.table"
        for agent, expected in [
            ("mcts(constant=-1)", "constant=-1.0, expected 0.0 to 1000.0"),
            ("mcts(constant=1001)", "constant=1001.0, expected 0.0 to 1000.0"),
            ("mcts(form=measured,temperature=0)", "temperature=0.0, expected 1e-06 to 1000.0"),
            ("mcts(depth=-1)", "depth=-1, expected 0 to 1000"),
            ("mcts(form=protuner,seconds=-1)", "seconds=-1.0, expected 0.0 to 86400.0"),
            ("mcts(form=protuner,root=first)", "expected one of best, mean, visits"),
            # Whose prior it would be.
            ("mcts(form=puct,prior=policy(file=a.sgp))",
             "found prior=policy of other actions, expected actions=modify"),
            ("mcts(form=puct,actions=construct,prior=policy(file=a.sgp))",
             "found prior=policy of other actions, expected actions=modify"),
            ("mcts(form=puct,prior=policy)", "found prior=policy without file=FILE"),
            ("mcts(form=measured,prior=model)", "unknown key 'prior'"),
            ("mcts(form=protuner,prior=uniform)", "unknown key 'prior'"),
            ("mcts(form=measured,model=analytical)", "unknown key 'model'"),
            ("beam(width=0)", "width=0, expected 1 to 100000"),
            ("greedy(model=no.json)", "no.json"),
            ("guided(k=0)", "k=0, expected 1 to 100000"),
        ]:
            with self.subTest(agent=agent):
                self.assertIn(expected, self.refused(2, "tune", MATMUL, "--agent", agent))
        self.assertIn("actions=construct in the space 'table', expected schedulegym or ansor",
                      self.refused(2, "tune", "--measure", f'table(file="{table}")', "--agent",
                                   "mcts(actions=construct)"))

    def test_a_first_search_of_no_trials(self):
        self.assertIn("k=0", self.refused(2, "tune", MATMUL, "--agent", "dpansor(k=0)"))

    def test_refiners(self):
        for words, expected in [
            (("dropplet",), "unknown refiner 'dropplet': expected droplet"),
            (("droplet(k=3)",), "expected one of mode, trials, p"),
            (("droplet(trials=0)",), "trials=0, expected at least 1"),
            (("droplet(p=0)",), "p=0"),
            (("",), "--refine"),
            (("droplet", "--trials", "100"), "found trials=100, expected fewer than all 100"),
        ]:
            with self.subTest(words=words):
                self.assertIn(expected, self.refused(2, "tune", MATMUL, "--refine", *words))

    def test_a_trace_that_does_not_apply_names_the_line(self):
        trace = "trace 1\nsplit(stage=C, loop=9, lengths=[4])\n"
        self.assertIn("line 2", self.refused(2, "show", MATMUL, "--as", "loops", "--trace", "-",
                                             stdin=trace))
        self.assertIn("no.trace", self.refused(2, "show", MATMUL, "--as", "dag", "--trace",
                                               "no.trace"))

    def test_a_store_that_is_no_store(self):
        self.write("not.db", "this is text\n" * 100)
        self.assertIn("not.db", self.refused(2, "tune", MATMUL, "--store", "not.db"))
        self.assertIn("not.db", self.refused(2, "records", "best", "--store", "not.db"))
        self.assertIn("no.db", self.refused(2, "records", "best", "--store", "no.db"))
        self.refused(2, "tune", MATMUL, "--store", "no/such/folder/a.db")
        for name, reason in (("", "found an empty name"), (":memory:", "is no file")):
            self.assertIn(reason, self.refused(2, "tune", MATMUL, "--store", name))
            self.assertIn(reason, self.refused(2, "records", "best", "--store", name))

    def test_records_that_do_not_exist(self):
        self.refused(2, "replay", MATMUL)
        for option in ("--record", "--trace"):
            self.assertIn(option, self.refused(2, "replay", MATMUL, option, ""))
        self.refused(2, "show", MATMUL, "--as", "dag", "--record", "0" * 32)

    def test_export_needs_a_schedule_a_name_and_a_place(self):
        self.write("t.trace", "trace 1\n")
        self.refused(2, "export", MATMUL, "-o", "kernel")
        self.refused(2, "export", MATMUL, "--trace", "t.trace")
        self.refused(2, "export", MATMUL, "--trace", "t.trace", "-o", "9kernel")
        self.refused(2, "export", MATMUL, "--trace", "t.trace", "-o", "int")
        self.refused(2, "export", MATMUL, "--trace", "t.trace", "-o", "no/such/kernel")

    def test_unwritable_trace_out(self):
        self.refused(2, "tune", MATMUL, "--trials", "1", "--trace-out", "no/such/trace")

    def test_models_that_cannot_be_saved(self):
        line = self.refused(2, "tune", MATMUL, "--agent", "random", "--save-model", "model.json")
        self.assertIn("agent random trains no cost model", line)
        self.assertIn(": ansor", line)
        self.refused(2, "tune", MATMUL, "--agent", "ansor", "--save-model", "no/such/model.json")

    def test_options_of_a_rule_that_is_not_chosen(self):
        for option, spec in (("--protocol", "cpu1(cv=0.2)"), ("--measure", "table(file=t.table,cv_rounds=4)")):
            line = self.refused(2, "tune", MATMUL, option, spec, "--trials", "1")
            self.assertIn("belongs to settle=cv", line)

    def test_models_that_cannot_be_loaded(self):
        self.write("text.json", "no model")
        self.write("torn.json", '{"learner": {"attributes": {')
        for name, expected in [("none.json", "cannot read 'none.json'"),
                               ("text.json", "'text.json' as a cost model: found no file"),
                               ("torn.json", "cost model 'torn.json': it is no model"),
                               ("boostd", "model is boosted, pretrained")]:
            with self.subTest(model=name):
                self.assertIn(expected, self.refused(2, "tune", MATMUL, "--agent",
                                                     f"ansor(model={name})"))

    def test_with_json_an_error_is_an_event(self):
        result = self.run_program("tune", "matmull", "--json")
        self.assertEqual(result.returncode, 2)
        (event,) = self.parse(result.stdout)
        self.assertEqual((event["event"], event["kind"]), ("error", "input"))
        self.assertEqual(result.stderr, f"error: {event['message']}\n")


if __name__ == "__main__":
    unittest.main()
