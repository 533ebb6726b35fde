"""The TOML file of a study: what it means, what is refused, and the runs that it becomes."""
import dataclasses
import hashlib
import pathlib
import tempfile
import unittest

from harness import ROOT

try:
    from schedulegym.studies import leakage, specs, study_file
    from schedulegym.studies.faults import StudyError
    from schedulegym.studies.study import runs_of, shard_of
except ImportError as fault:
    raise unittest.SkipTest(f"no studies: {fault}") from None

SUITES = {"two": ["matmul(m=8)", "softmax(n=8)"]}
ARMS = """
measure = "analytical"
cases = ["matmul(m=8)", "softmax(n=8)"]
seeds = 3
trials = 16

[arms.chance]
agent = "random"

[arms.walk]
agent = "droplet(p = 0.05)"
space = "ansor"
"""
FACTORS = """
measure = "table"
cases = ["matmul", "mine.table"]
seeds = [4, 7]
trials = 100
seconds = 60.5
margin = 0.02

[base]
agent = "dpansor(agent=random)"

[factors]
agent.k = [25, 100, 300]
"space.fuse" = [true, false]
"""


def parse_file(case):
    """Where its measurer looks for the table."""
    return specs.plain_text(specs.parse_spec(case.measurer()).value("file"))


class SpecsTest(unittest.TestCase):
    def test_a_spec_is_taken_apart(self):
        spec = specs.parse_spec('dpansor(k=25, agent=ansor(mode=faithful,round=8), x="a,(b")')
        self.assertEqual(spec.options, (("k", "25"), ("agent", "ansor(mode=faithful,round=8)"),
                                        ("x", '"a,(b"')))
        self.assertEqual(specs.parse_spec(spec.text), spec)
        self.assertEqual(spec.with_value("k", "1").text.partition(",")[0], "dpansor(k=1")
        self.assertEqual(specs.parse_spec(" random ( ) ").text, "random")

    def test_what_is_none(self):
        for text in ("", "a b", "a(b", "a(b=)", "a(b)", "a(b=1,b=2)", "a(b=(1)", "a(b=1))"):
            with self.subTest(text), self.assertRaises(StudyError):
                specs.parse_spec(text)

    def test_quotes(self):
        for text in ("plain", 'a "b" c', "back\\slash, and) more", ""):
            self.assertEqual(specs.plain_text(specs.in_quotes(text)), text)
        self.assertEqual(specs.plain_text("bare"), "bare")

    def test_an_option_is_left_out(self):
        self.assertEqual(specs.parse_spec("a(b=1, c=2)").without("b").text, "a(c=2)")
        self.assertEqual(specs.parse_spec("a(b=1)").without("b").without("b").text, "a")

    def test_what_means_the_same_has_one_form(self):
        usual = specs.parse_spec("a(b=true, c=1)")
        forms = {specs.parse_spec(text).as_meant(usual)
                 for text in ("a(d=2, c=1, e=3)", "a(e=3,d=2)", "a(b = true, e=3, d=2)")}
        self.assertEqual([one.text for one in forms], ["a(d=2, e=3)"])
        self.assertEqual(specs.parse_spec("a(b=false)").as_meant(usual).text, "a(b=false)")

    def test_values(self):
        self.assertEqual([specs.value_text(value) for value in (True, 3, 0.25, "word", "a, b")],
                         ["true", "3", "0.25", "word", '"a, b"'])


class StudyFileTest(unittest.TestCase):
    def read(self, text, **how):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "mine.table").write_text("rows")
            path = pathlib.Path(folder, "mine.toml")
            path.write_text(text)
            return study_file.read_study(path, SUITES.__getitem__, **how)

    def refused(self, text, *words):
        with self.assertRaises(StudyError) as caught:
            self.read(text)
        message = str(caught.exception)
        self.assertNotIn("\n", message)
        for word in ("mine.toml", *words):
            self.assertIn(word, message)

    def test_arms(self):
        study = self.read(ARMS)
        self.assertEqual((study.name, study.seeds, study.trials, study.baseline),
                         ("mine", (0, 1, 2), 16, "chance"))
        self.assertEqual([case.name for case in study.cases], ["matmul(m=8)", "softmax(n=8)"])
        walk = study.arm("walk")
        self.assertEqual((walk.agent, walk.space), ("droplet(p=0.05)", "ansor"))

    def test_a_suite_and_arms_in_a_list(self):
        study = self.read("""suite = "two"
seeds = 1
trials = 1
arms = [{name = "a", agent = "random"}, {name = "b", agent = "random", finalists = 1}]""")
        self.assertEqual([case.workload for case in study.cases], SUITES["two"])
        self.assertEqual([arm.finalists for arm in study.arms], [None, 1])

    def test_factors_are_crossed(self):
        study = self.read(FACTORS)
        self.assertEqual(len(study.arms), 6)
        self.assertEqual(study.arms[0].agent, "dpansor(agent=random, k=25)")
        self.assertEqual(study.arms[0].space, "schedulegym(fuse=true)")
        self.assertEqual(study.arms[5].cell, (2, 1))
        self.assertEqual(study.arms[5].name, "agent.k=300, space.fuse=false")
        self.assertEqual(study.cases[1].measure, "table(file=mine.table)")
        self.assertEqual(study.cases[1].table, hashlib.sha256(b"rows").hexdigest()[:16])
        self.assertEqual((study.seconds, study.margin), (60.5, 0.02))

    def test_or_changed_one_at_a_time(self):
        study = self.read('design = "one_at_a_time"\n' + FACTORS)
        self.assertEqual([arm.cell for arm in study.arms], [(0, 0), (1, 0), (2, 0), (0, 1)])
        self.assertEqual([arm.name for arm in study.arms],
                         ["base", "agent.k=100", "agent.k=300", "space.fuse=false"])
        self.assertEqual(study.arms[3].agent, study.arms[0].agent)

    def test_options_of_a_refiner_are_droplets(self):
        study = self.read(FACTORS.replace("agent.k = [25, 100, 300]", "refine.trials = [2, 4]"))
        self.assertEqual(study.arms[0].refine, "droplet(trials=2)")

    def test_whom_nobody_tells_the_truth_nobody_refines(self):
        study = self.read('controls = ["blind"]\n' + ARMS.replace(
            'space = "ansor"', 'space = "ansor"\nrefine = "droplet"'))
        self.assertEqual((study.arm("walk").refine, study.arm("blind walk").refine),
                         ("droplet", None))

    def test_controls(self):
        study = self.read('controls = ["random", "blind"]\n' + ARMS)
        self.assertEqual([arm.name for arm in study.arms],
                         ["chance", "walk", "random", "blind walk"])
        self.assertTrue(study.arm("blind walk").blind)
        self.assertEqual(study.arm("random").agent, "random")

    def test_one_arm_alone_may_be_blind(self):
        more = ARMS + '[arms.climb]\nagent = "hill"\n'
        study = self.read('controls = ["blind(walk)"]\n' + more)
        self.assertEqual([arm.name for arm in study.arms],
                         ["chance", "walk", "climb", "blind walk"])
        for control, words in [("blind(wlk)", ["'walk'"]), ("blind(chance)", ["one of walk, climb"]),
                               ("random(walk)", ["blind(ARM)"]), ("blind(walk", ["blind(ARM)"])]:
            self.refused(f'controls = ["{control}"]\n' + more, "control", *words)

    def test_an_agent_may_be_blind_by_its_spec(self):
        study = self.read(ARMS + '[arms.deaf]\nagent = "blind(agent=droplet(p=1))"\n')
        self.assertEqual((study.arm("deaf").agent, study.arm("deaf").blind),
                         ("droplet(p=1)", True))
        self.refused(ARMS + '[arms.deaf]\nagent = "blind(k=1)"\n', "blind(agent=AGENT)")

    def test_no_agent_sees_what_judges_it(self):
        sees = ARMS + '[arms.breeds]\nagent = "ansor(round=8)"\n'
        self.refused(sees, "breeds", "ansor(round=8, features=ansor)", "cheating = true")
        self.read("cheating = true\n" + sees)
        self.read(ARMS + '[arms.breeds]\nagent = "ansor(features=ansor)"\n')
        self.read(ARMS + '[arms.breeds]\nagent = "ansor(mode=faithful)"\n')
        self.refused(ARMS + '[arms.both]\nagent = "dpansor(k=5)"\n',
                     "dpansor(k=5, agent=ansor(features=ansor))")
        self.read(sees.replace('"analytical"', '"host"'))
        self.refused(ARMS + '[arms.learns]\nagent = "harl(hidden=8)"\n',
                     "harl(hidden=8, features=ansor, estimate_first=false)")
        self.read(ARMS + '[arms.learns]\nagent = "harl(mode=faithful)"\n')

    def test_the_shipped_studies_are_studies(self):
        shipped = sorted((ROOT / "experiments" / "studies").glob("*.toml"))
        self.assertGreater(len(shipped), 0)
        for path in shipped:
            with self.subTest(path.name):
                study = study_file.read_study(path, SUITES.__getitem__)
                self.assertIn(study.baseline, [arm.name for arm in study.arms])

    def test_no_tree_search_sees_what_judges_it(self):
        for sees, honest in [("mcts", "mcts(features=ansor)"),
                             ("mcts(form=protuner)", "mcts(form=protuner, features=ansor)"),
                             ("beam(width=4)", "beam(width=4, features=ansor)"),
                             ("mcts(reward=measured, prior=model)",
                              "mcts(reward=measured, prior=model, features=ansor)"),
                             ("mcts(form=puct, reward=measured)",
                              "mcts(form=puct, reward=measured, features=ansor)"),
                             ("guided(model=analytical)", "guided(model=boosted, features=ansor)"),
                             ("mcts(model=trees.json)", "mcts(model=trees.json, features=ansor)")]:
            self.refused(ARMS + f'[arms.tree]\nagent = "{sees}"\n', honest, "cheating = true")
            self.read(ARMS + f'[arms.tree]\nagent = "{honest}"\n')
        for honest in ("mcts(form=measured)", "mcts(reward=measured)", "greedy(model=random)",
                       "mcts(form=puct, reward=measured, prior=uniform)"):
            self.read(ARMS + f'[arms.tree]\nagent = "{honest}"\n')

    def test_which_agents_see_the_estimate(self):
        for agent, honest in [
                ("ansor", "ansor(features=ansor)"),
                ("ansor(model=boosted)", "ansor(model=boosted, features=ansor)"),
                ("ansor(model=trees.json)", "ansor(model=trees.json, features=ansor)"),
                ("ansor(model=analytical)", "ansor(features=ansor)"),
                ("ansor(estimate_first=true)", "ansor(estimate_first=false, features=ansor)"),
                ("ansor(mode=faithful,model=analytical)", "ansor(mode=faithful)"),
                ("ansor(mode=faithful,features=estimated)",
                 "ansor(mode=faithful, features=ansor)"),
                ("blind(agent=ansor)", "blind(agent=ansor(features=ansor))"),
                ("dpansor(agent=dpansor(k=1))",
                 "dpansor(agent=dpansor(k=1, agent=ansor(features=ansor)))"),
                ("harl", "harl(features=ansor, estimate_first=false)"),
                ("harl(mode=faithful,estimate_first=true)",
                 "harl(mode=faithful, estimate_first=false)"),
                ("harl(mode=faithful,features=estimated)", "harl(mode=faithful, features=ansor)"),
                ("harl(mode=faithful,policy=p.sgp)", "harl(mode=faithful)"),
                ('harl(features=ansor,policy="a b.sgp",estimate_first=false)',
                 "harl(features=ansor, estimate_first=false)"),
                ("mcts(form=puct,actions=modify,prior=policy(file=p.sgp,hidden=8),features=ansor)",
                 "mcts(form=puct, actions=modify, features=ansor)"),
                ("mcts(reward=measured,actions=modify,prior=policy(file=p.sgp))",
                 "mcts(reward=measured, actions=modify)")]:
            with self.subTest(agent):
                self.assertEqual(leakage.without_estimate(agent), honest)
                self.assertTrue(leakage.sees_estimate(agent))
                self.assertFalse(leakage.sees_estimate(honest))
        for agent in ("random", "genetic(elite=1)", "ansor(model=random)", "dpansor(agent=hill)",
                      "dpansor(mode=faithful)", "harl(mode=faithful)", "blind(agent=local)",
                      "harl(mode=faithful, policy=shared)",
                      "harl(features=ansor, estimate_first=false, policy=sketch)",
                      "harl(mode=faithful, features=ansor, estimate_first=false)"):
            with self.subTest(agent):
                self.assertFalse(leakage.sees_estimate(agent))

    def test_which_arms_see_their_judge(self):
        sees = ARMS + '[arms.breeds]\nagent = "ansor"\n'
        study = self.read("cheating = true\n" + sees)
        self.assertEqual([study.sees_evaluator(arm) for arm in study.arms], [False, False, True])
        study = self.read(sees.replace('"analytical"', '"host"'))
        self.assertFalse(study.sees_evaluator(study.arm("breeds")))

    def test_tables_are_found_and_told_apart_by_what_they_hold(self):
        first, second = self.read(FACTORS).cases
        self.assertEqual(pathlib.Path(first.file).name, "matmul.table")  # it comes along
        self.assertEqual(parse_file(first), first.file)
        self.assertNotEqual(first.table, second.table)
        moved = dataclasses.replace(second, file="/elsewhere/a.table")
        self.assertEqual(moved, second)
        self.refused(FACTORS.replace('"mine.table"', '"yours.table"'), "yours.table: No such file")
        self.refused(FACTORS.replace('"mine.table"', '"matmull"'), "unknown table", "'matmul'")
        self.refused(FACTORS.replace('"mine.table"', '{measure = "table(noise=true)"}'), "file=")

    def test_a_noisy_table(self):
        study = self.read(FACTORS.replace(
            '"mine.table"', '{measure = "table(file=mine.table, noise=true)"}'))
        self.assertEqual([case.is_noisy for case in study.cases], [False, True])
        self.assertIn("noise=true", study.cases[1].measurer())
        study = self.read(FACTORS.replace('"table"', '"table(noise=true)"'))
        self.assertEqual([case.measure for case in study.cases],
                         ["table(noise=true, file=matmul)", "table(noise=true, file=mine.table)"])

    def test_a_table_alone_is_a_case(self):
        text = FACTORS.replace('cases = ["matmul", "mine.table"]\n', "").replace(
            '"table"', '"table(file=mine.table)"')
        case, = self.read(text).cases
        self.assertEqual((case.name, case.workload, case.measure),
                         ("mine", None, "table(file=mine.table)"))

    def test_plugins_are_part_of_each_run(self):
        with tempfile.TemporaryDirectory() as folder:
            plugin = pathlib.Path(folder, "mine.so").resolve()
            text = ARMS.replace("seeds = 3", f'seeds = 3\nplugins = ["{plugin}"]')
            plugin.write_bytes(b"one")
            arm, plain = self.read(text).arms[0], self.read(ARMS).arms[0]
            self.assertEqual(arm.plugins, (str(plugin),))
            self.assertEqual((plain.plugins, plain.code), ((), None))
            plugin.write_bytes(b"two")
            study = self.read(text)
            self.assertNotEqual(study.arms[0].code, arm.code)
            self.assertNotIn("plugins", study.fields()["arms"][0])
        for given, words in (('"mine.so"', ["plugins of the study", "a list of files"]),
                             ('["other.so"]', ["plugins: found no file 'other.so'"])):
            self.refused(ARMS.replace("seeds = 3", f"seeds = 3\nplugins = {given}"), *words)

    def test_bad_input_is_one_line(self):
        for change, words in [
                (("seeds = 3", "seed = 3"), ["unknown key of the study 'seed'", "'seeds'"]),
                (("seeds = 3", "seeds = 0"), ["seeds", "0"]),
                (("seeds = 3", "seeds = [1, 1]"), ["two of the seed '1'"]),
                (("trials = 16", "trials = 0"), ["trials", "at least 1"]),
                (("trials = 16", "seconds = -1\ntrials = 16"), ["seconds", "above 0"]),
                (("trials = 16", "seconds = 5\ntrials = 16"), ["seconds", "clock stands still"]),
                (("trials = 16", ""), ["trials", "nothing found"]),
                (('"analytical"', '"analitical"'), ["unknown measure", "'analytical'"]),
                (('"softmax(n=8)"', '"matmul(m=8)"'), ["two of the case"]),
                (("[arms.walk]", "[arms.chance]"), ["chance"]),  # as TOML says it
                (("agent = \"random\"", "agnet = \"random\""), ["arm 'chance'", "'agent'"]),
                (("agent = \"random\"", "agent = \"random(\""), ["expected a spec"]),
                (("seeds = 3", "seeds = 3\nbaseline = \"chanec\""), ["unknown arm", "'chance'"]),
                (("seeds = 3", "seeds = 3\ncontrols = [\"rand\"]"), ["control", "'random'"]),
                (("[arms.chance]\nagent = \"random\"",
                  "controls = [\"random\"]\n[arms.random]\nagent = \"hill\""),
                 ["control 'random'", "the agent 'hill'"]),
                (("agent = \"random\"", "agent = \"blind(agent=hill)\"\nrefine = \"droplet\""),
                 ["arm 'chance'", "refine", "blind"]),
                (("seeds = 3", "seeds = 3\ndesign = \"all\""), ["design", "full"]),
                (("[arms.chance]", "[factors]\nspace = [\"a\", \"b\"]\n[arms.chance]"),
                 ["arms and factors"]),
                (('space = "ansor"', "finalists = 17"), ["17", "16 trials"]),
                (('"softmax(n=8)"', '{workload = "softmax(n=8)", trials = 17}'),
                 ["case 'softmax(n=8)'", "17 trials", "the 16 of the study"]),
                (('"softmax(n=8)"', '{workload = "softmax(n=8)", trials = 0}'),
                 ["trials", "at least 1"]),
                (("cases = [\"matmul(m=8)\", \"softmax(n=8)\"]", ""), ["neither cases nor a suite"]),
                (("seeds = 3", "seeds = 3 3"), ["mine.toml"])]:
            with self.subTest(change):
                self.refused(ARMS.replace(*change), *words)

    def test_finalists_are_at_most_the_trials_of_each_case(self):
        self.refused(ARMS.replace('"softmax(n=8)"', '{workload = "softmax(n=8)", trials = 4}').replace(
            'space = "ansor"', "finalists = 5"), "5 finalists", "the 4 trials of a run")

    def test_bad_factors(self):
        for change, words in [
                (("agent.k", "agnet.k"), ["unknown factor 'agnet.k'"]),
                (("[25, 100, 300]", "[25]"), ["at least two levels"]),
                (("agent.k", "agent.agent.k"), ["agent.agent", "a key within a key"]),
                (("[25, 100, 300]", "[25, 25]"), ["two of the level"]),
                (("[25, 100, 300]", str(list(range(200)))), ["400 combinations"])]:
            with self.subTest(change):
                self.refused(FACTORS.replace(*change), *words)

    def test_two_arms_of_one_name(self):
        self.refused('cases = ["a"]\nseeds = 1\ntrials = 1\narms = [{name = "a"}, {name = "a"}]',
                     "two of the arm 'a'")

    def test_no_such_file(self):
        with self.assertRaisesRegex(StudyError, "No such file"):
            study_file.read_study(pathlib.Path("/nowhere/a.toml"), SUITES.__getitem__)

    def test_the_smallest_form_may_differ(self):
        text = ARMS + '[smoke]\ntrials = 4\n[smoke.arms]\nchance = "random(retries=5)"\n'
        self.assertEqual((self.read(text).trials, len(self.read(text).arms)), (16, 2))
        small = self.read(text, smallest=True)
        self.assertEqual((small.trials, len(small.seeds), small.smoke), (4, 2, True))
        self.assertEqual([arm.agent for arm in small.arms], ["random(retries=5)"])
        self.refused("smoke = 3\n" + ARMS, "[smoke]")

    def test_the_smallest_form(self):
        study = self.read(ARMS.replace('"analytical"', '"host"')).smallest()
        self.assertEqual((study.seeds, study.trials), ((0, 1), 8))
        self.assertEqual({case.measure for case in study.cases}, {"analytical"})


class PlanTest(unittest.TestCase):
    read = StudyFileTest.read

    def test_a_block_is_one_seed_of_one_case_over_all_arms(self):
        study = self.read(ARMS)
        runs = runs_of(study)
        self.assertEqual(len(runs), 2 * 3 * 2)
        for first, second in zip(runs[::2], runs[1::2]):
            self.assertEqual((first.case, first.seed), (second.case, second.seed))
            self.assertNotEqual(first.arm, second.arm)
        self.assertEqual(len({run.key for run in runs}), 12)

    def test_the_order_is_drawn_and_stays(self):
        places = [run.place for run in runs_of(self.read(ARMS))]
        self.assertEqual(places, [run.place for run in runs_of(self.read(ARMS))])
        other = [run.place for run in runs_of(self.read("order = 1\n" + ARMS))]
        self.assertNotEqual(places, other)
        self.assertEqual(sorted(places), sorted(other))
        self.assertNotEqual(places, sorted(places))

    def test_shards_are_whole_blocks(self):
        study = self.read(ARMS)
        shards = [shard_of(study, number, 4) for number in (1, 2, 3, 4)]
        self.assertEqual(sorted(run.place for shard in shards for run in shard),
                         sorted(run.place for run in runs_of(study)))
        self.assertEqual([len(shard) for shard in shards], [4, 4, 2, 2])

    def test_a_key_tells_tables_apart_by_what_they_hold(self):
        study = self.read(FACTORS)
        run = runs_of(study)[0]
        renamed = dataclasses.replace(run.case, measure="table(file=other.table)", file="/other")
        self.assertEqual(dataclasses.replace(run, case=renamed).key, run.key)
        for change in ({"table": "0" * 16}, {"measure": "table(file=mine.table, noise=true)"}):
            other = dataclasses.replace(run.case, **change)
            self.assertNotEqual(dataclasses.replace(run, case=other).key, run.key)

    def test_a_case_may_have_fewer_trials(self):
        study = self.read(ARMS.replace('"softmax(n=8)"', '{workload = "softmax(n=8)", trials = 4}'))
        self.assertEqual({(run.case.name, run.trials) for run in runs_of(study)},
                         {("matmul(m=8)", 16), ("softmax(n=8)", 4)})
        self.assertEqual([case.get("trials") for case in study.fields()["cases"]], [None, 4])
        self.assertEqual({run.trials for run in runs_of(study.smallest())}, {8, 4})
        whole = {run.key for run in runs_of(self.read(ARMS)) if run.case.name == "matmul(m=8)"}
        self.assertEqual({run.key for run in runs_of(study) if run.case.name == "matmul(m=8)"}, whole)

    def test_a_key_tells_what_a_run_gives(self):
        one, other = self.read(ARMS), self.read(ARMS.replace("trials = 16", "trials = 17"))
        self.assertFalse({run.key for run in runs_of(one)} & {run.key for run in runs_of(other)})
        renamed = self.read(ARMS.replace("[arms.walk]", "[arms.steps]"))
        self.assertEqual({run.key for run in runs_of(one)}, {run.key for run in runs_of(renamed)})


if __name__ == "__main__":
    unittest.main()
