"""Every option that the program takes is listed with its type, default, range and meaning, and no other."""
import importlib
import inspect
import re
import sys
import unittest
from unittest import mock

from harness import ROOT, ProgramTest, schedulegym

with mock.patch.object(sys, "path", [str(ROOT / "tests/lint"), *sys.path]):
    import words

SMALL = "softmax(n=8,m=8)"
QUICK = ("--measure", "analytical", "--trials", "1", "--quiet")
# How a spec of a kind comes to be read, and what forms have options of their own.
COMMANDS = {
    "agents": lambda spec: ("tune", SMALL, *QUICK, "--agent", spec),
    "schedulers": lambda spec: ("tune", SMALL, *QUICK, "--scheduler", spec),
    "spaces": lambda spec: ("tune", SMALL, *QUICK, "--agent", "random", "--space", spec),
    "refiners": lambda spec: ("tune", SMALL, *QUICK, "--agent", "random", "--refine", spec),
    "measurers": lambda spec: ("tune", SMALL, "--trials", "1", "--measure", spec),
    "models": lambda spec: ("tune", SMALL, "--trials", "1", "--quiet", "--agent", "random",
                            "--measure", f"model({spec})"),
    "protocols": lambda spec: ("tune", SMALL, "--trials", "1", "--protocol", spec),
    "targets": lambda spec: ("tune", SMALL, *QUICK, "--target", spec),
    "suites": lambda spec: ("bench", spec),
}
FORMS = {("agents", "mcts"): ("", "form=puct", "form=protuner", "form=measured",
                              "form=protuner,selection=additive"),
         ("agents", "beam"): ("", "reward=measured"), ("targets", "cuda"): ("card=a100",),
          ("agents", "ansor"): ("", "beam=true"), ("models", "boosted"): ("file=no.model",),
          ("agents", "flextensor"): ("", "method=q"),
         ("agents", "autotvm"): ("", "model=forest")}
# Their other options go elsewhere: to a class, to a program.
OPEN = {("agents", "python"), ("agents", "process")}
# What a thing needs before its other options are read.
NEEDS = {("targets", "cuda"): "card=a100", ("models", "boosted"): "file=no.model"}
# What an error about a value of another type expects.
TYPES = {"int": "expected an integer", "float": "expected a number", "bool": "expected true or false"}
ODD = '"x y"'


class ReferenceOptionsTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.glossary = words.Words((ROOT / "docs/design/glossary.md").read_text())

    def items(self, kind):
        return self.events("list", kind)

    def refusal(self, kind, name, options):
        said = self.refused(2, *COMMANDS[kind](f"{name}({','.join(options)})"))
        self.assertEqual(self.glossary.printed(f"{kind} {name}", said), [])
        return said

    def taken(self, kind, name, form):
        """The keys that the program expects, as its refusal of another one lists them."""
        said = self.refusal(kind, name, [*filter(None, [form]), "zzz=1"])
        found = re.search(r"key 'zzz'\S* (?:is not known[;,] )?expected (?:one of:? )?(.*)", said)
        self.assertTrue(found, said)
        return [] if found[1] == "none" else re.split(r", ", found[1].strip())

    def test_the_options_of_each_thing_are_listed(self):
        for kind in COMMANDS:
            for item in self.items(kind):
                if (kind, item["name"]) in OPEN:
                    continue
                listed = [one["key"] for one in item["options"]]
                taken = [key for form in FORMS.get((kind, item["name"]), ("",))
                         for key in self.taken(kind, item["name"], form)]
                with self.subTest(kind=kind, name=item["name"]):
                    self.assertEqual(set(listed), set(taken))

    def test_types_are_those_that_are_read(self):
        for kind in ("agents", "schedulers", "spaces", "refiners", "protocols", "targets"):
            for item in self.items(kind):
                for one in item["options"]:
                    if one["type"] not in TYPES or (item["name"], one["key"]) == ("gradient", "requirement"):
                        continue
                    form = [one["form"].split(" or ")[0]] if one["form"] else []
                    if (kind, item["name"]) in NEEDS:
                        form.append(NEEDS[kind, item["name"]])
                    with self.subTest(kind=kind, name=item["name"], key=one["key"]):
                        said = self.refusal(kind, item["name"], [*form, f"{one['key']}={ODD}"])
                        self.assertIn(TYPES[one["type"]], said)

    def test_listed_defaults_are_the_same_in_both_texts(self):
        for kind in COMMANDS:
            for item in self.items(kind):
                if kind == "protocols" and item["name"] in ("final", "collect", "gpu1"):
                    continue  # their page has the rows of cpu1, and what differs
                defaults = {one["key"]: one["default"] for one in sorted(
                    item["options"], key=lambda one: not one["form"])}
                for key, value in re.findall(r"(\w+)=([^,|()]+)(?=,|$)", item["parameters"]):
                    with self.subTest(kind=kind, name=item["name"], key=key):
                        self.assertIn(key, defaults)
                        said = defaults[key]
                        same = said == value or self.number(said) == self.number(value) is not None
                        self.assertTrue(same or not re.match(r"[\w.]+$", said), (said, value))

    @staticmethod
    def number(text):
        try:
            return float(text)
        except ValueError:
            return None

    def test_no_help_has_old_names(self):
        commands = re.findall(r"(?m)^  ([a-z][a-z-]+) ", self.succeed("--help").partition("commands:")[2])
        self.assertIn("tune", commands)
        kinds = re.search(r"KIND TEXT REQUIRED +(.*)", self.succeed("list", "--help"))[1].split(", ")
        self.assertIn("protocols", kinds)
        texts = {command: self.succeed(command, "--help") for command in commands}
        texts |= {f"list {kind}": self.succeed("list", kind, "--json") for kind in kinds}
        found = [one for place, text in texts.items() for one in self.glossary.printed(place, text)]
        self.assertEqual(found, [])

    @unittest.skipIf(schedulegym is None, "this build has no Python package")
    def test_an_environment_is_made_with_the_listed_defaults(self):
        import gymnasium
        checked = set()
        for item in self.items("environments"):
            spec = gymnasium.spec(item["name"])
            module, _, maker = spec.entry_point.partition(":")
            maker = {"recorded_network": "ScheduleNetworkEnv"}.get(maker, maker)
            taken = inspect.signature(getattr(importlib.import_module(module), maker)).parameters
            made = {key: one.default for key, one in taken.items()} | spec.kwargs
            for one in item["options"]:
                value = made[one["key"]]
                if isinstance(value, (str, int, float)) and value != "":
                    with self.subTest(name=item["name"], key=one["key"]):
                        self.assertEqual(one["default"], str(value))
                        checked.add((item["name"].rpartition("/")[2], one["key"]))
        self.assertLessEqual({("ModifyModel-v1", "model"), ("Modify-v1", "space"),
                              ("NetworkTable-v0", "batch")}, checked)

    def test_an_environment_lists_the_arguments_that_it_takes(self):
        keys = {item["name"].rpartition("/")[2]: {one["key"] for one in item["options"]}
                for item in self.items("environments")}
        everywhere = {"observation", "reward", "steps", "measure", "render_mode"}
        self.assertEqual(keys["ModifyTable-v0"], everywhere | {"table"})
        self.assertEqual(keys["File-v0"], everywhere | {"table", "input"})
        self.assertEqual(keys["ConstructModel-v1"], everywhere | {"workload", "target", "model"})
        self.assertEqual(keys["Modify-v1"], everywhere | {"workload", "target", "space", "start", "protocol",
                                                          "measuring_seed", "store"})
        self.assertEqual(keys["NetworkTable-v0"] - keys["NetworkModel-v1"], {"table", "curves", "half"})
        self.assertEqual(keys["NetworkModel-v1"] - keys["NetworkTable-v0"], {"workload", "target", "space"})

    def test_every_row_is_whole(self):
        for kind in (*COMMANDS, "observations", "rewards", "environments"):
            for item in self.items(kind):
                if item["parameters"]:
                    self.assertTrue(item["options"], (kind, item["name"]))
                for one in item["options"]:
                    self.assertTrue(one["key"] and one["type"] and one["meaning"].endswith("."), one)
                    self.assertTrue(one["range"] or one["type"] in ("text", "file", "list"), one)

    def test_a_name_prints_its_options(self):
        text = self.succeed("list", "agents", "hill")
        self.assertIn("  patience (int, default 50, 1 to 1000000; Kernel Tuner)\n      Neighbours", text)
        self.assertNotIn("neighbours", text)
        self.assertIn("expected one of", self.refused(2, "list", "agents", "hil"))


if __name__ == "__main__":
    unittest.main()
