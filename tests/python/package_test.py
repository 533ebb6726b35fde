"""The package as a whole: what it brings into a process, its stubs, its types."""
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
import unittest

from harness import ROOT, PackageTest, schedulegym as sg


def make_stubs():
    """The script, without its folder on the path: the package's sources lie beside it."""
    spec = importlib.util.spec_from_file_location("make_stubs", ROOT / "bindings/make_stubs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*words, **options):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, **options)


class WholeTest(PackageTest):
    def test_no_compiler_enters_the_process(self):
        maps = run("-c", "import schedulegym; print(open('/proc/self/maps').read())").stdout
        self.assertIn("_schedulegym", maps)
        for library in ("LLVM", "torch"):
            self.assertNotIn(library, maps)

    def test_importing_brings_nothing_heavy(self):
        script = ("import sys, schedulegym\nprint([m for m in ('torch', 'stable_baselines3', 'ray',"
                  " 'matplotlib', 'pandas') if m in sys.modules])")
        self.assertEqual(run("-c", script).stdout.strip(), "[]")

    def test_everything_public_is_described(self):
        bare = []
        for name in sg.__all__:
            thing = getattr(sg, name)
            if not inspect.getdoc(thing):
                bare.append(name)
            if inspect.isclass(thing):
                bare += [f"{name}.{member}" for member, value in vars(thing).items()
                         if not member.startswith("_") and not inspect.getdoc(value)
                         and (callable(value) or isinstance(value, property))]
        self.assertEqual(bare, [])

    def test_the_stubs_are_those_of_the_module(self):
        if importlib.util.find_spec("pybind11_stubgen") is None:
            self.skipTest("no pybind11-stubgen")
        script = make_stubs()
        written = (ROOT / "bindings/schedulegym/_schedulegym.pyi").read_text()
        if written.splitlines()[0] != script.versions():
            self.skipTest(f"stubs of other versions: {written.splitlines()[0]}")
        self.assertEqual(script.stubs(), written,
                         "run bindings/make_stubs.py bindings/schedulegym/_schedulegym.pyi")

    def test_types_hold(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("no mypy")
        result = run("-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir",
                     str(self.folder), "schedulegym", cwd=ROOT / "bindings")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_command_is_the_packages(self):
        command = run("-c", "from schedulegym.command import main; main()", "list", "agents")
        self.assertEqual(command.returncode, 0, command.stderr)
        self.assertIn("ansor", command.stdout)
        nowhere = run("-c", "from schedulegym.command import main; main()",
                      env={**os.environ, "SCHEDULEGYM_PROGRAM": "/nowhere"})
        self.assertEqual(nowhere.stderr, "error: cannot start '/nowhere': No such file or directory\n")

    def test_no_worker_is_a_fault_of_the_machine(self):
        script = ("import schedulegym\ntry:\n  schedulegym.Measurer().measure([schedulegym."
                  "ScheduleState.initial(schedulegym.Task('matmul(m=2,n=2,k=2)'))])\n"
                  "except schedulegym.MachineError as fault:\n  print(fault)")
        said = run("-c", script, env={**os.environ, "SCHEDULEGYM_WORKER": "/nowhere"}).stdout
        self.assertIn("/nowhere", said)
        self.assertEqual(len(said.splitlines()), 1)

    def test_versions_agree(self):
        cmake = (ROOT / "CMakeLists.txt").read_text()
        self.assertIn(f"project(ScheduleGym VERSION {sg.__version__} ", cmake)
        self.assertTrue(pathlib.Path(sg.__file__).with_name("py.typed").exists())


if __name__ == "__main__":
    unittest.main()
