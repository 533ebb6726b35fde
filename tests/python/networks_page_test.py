"""The page of networks says of each what it is."""
import re
import unittest

import doc_pages
from harness import ROOT, PackageTest, ProgramTest, schedulegym as sg

NETWORKS = ROOT / "env/program/networks"


def rows():
    """By name: the parameters, layers, tasks and GFLOP, as the page prints them."""
    table = {}
    for line in doc_pages.read("docs/reference/networks.md").splitlines():
        if line.startswith("| `"):
            network, _, *numbers = (cell.strip() for cell in line.strip("|").split("|"))
            name, _, parameters = network.strip("`").removesuffix(")").partition("(")
            table[name] = (parameters, *numbers)
    return table


class NetworksPageTest(PackageTest):
    def test_the_table_has_what_the_files_have(self):
        table = rows()
        self.assertEqual(sorted(table), sorted(file.stem for file in NETWORKS.glob("*.net")))
        for name, (_, layers, tasks, gflop) in table.items():
            counts = {}
            for count, workload in sg.read_network(NETWORKS / f"{name}.net"):
                counts[workload] = counts.get(workload, 0) + count
            flops = sum(count * sg.Task(workload, "llvm(cores=1)").dag.flops
                        for workload, count in counts.items())
            with self.subTest(name):
                self.assertEqual((layers, tasks, gflop),
                                 (str(sum(counts.values())), str(len(counts)), f"{flops / 1e9:.2f}"))


class NetworkParametersTest(ProgramTest):
    def test_the_table_has_the_parameters(self):
        listed = self.events("list", "networks")
        self.assertEqual({entry["name"]: entry["parameters"] for entry in listed},
                         {name: row[0] for name, row in rows().items()})


class TaskListsTest(ProgramTest):
    def test_the_lists_of_tasks_have_counts_and_splits(self):
        listed = {entry["name"]: entry["description"] for entry in self.events("list", "tasks")}
        counts = {name: re.match(r"(\d+) tasks of the split (\w+): ", text).groups()
                  for name, text in listed.items()}
        self.assertEqual({name: one for name, one in counts.items() if name.startswith("programs")},
                         {"programs_train": ("96", "train"), "programs_valid": ("24", "valid"),
                          "programs_strange": ("8", "strange")})
        self.assertEqual({name for name, (_, split) in counts.items() if split == "networks"},
                         {"resnet18", "mobilenet_v2", "bert_base", "squeezenet"})
        files = {path.stem for path in (ROOT / "env/program/splits").glob("*.tasks")}
        self.assertLessEqual(files, set(listed))

    def test_a_misspelt_list_names_the_nearest(self):
        line = self.refused(2, "tune", "programs_trian", "--trials", "1")
        self.assertIn("did you mean 'programs_train'?", line)
        self.assertIn("lists of tasks (list tasks)", " ".join(self.run_program("tune", "--help").stdout.split()))


if __name__ == "__main__":
    unittest.main()
