"""What a tree search leaves in a file, and `show-tree`, which shows it."""
import json
import os
import unittest
import xml.etree.ElementTree

from harness import ProgramTest

SEARCH = ("tune", "matmul(m=32,n=32,k=32)", "--measure", "analytical", "--space", "ansor", "--trials",
          "32", "--quiet")


class ShowTreeTest(ProgramTest):
    def search(self, agent):
        self.succeed(*SEARCH, "--agent", agent)

    def picture(self, name):
        """Its marks and lines; the file must be well-formed."""
        root = xml.etree.ElementTree.parse(self.folder / name).getroot()
        names = [one.tag.split("}")[1] for one in root.iter()]
        return names.count("circle"), names.count("path")

    def shown(self, *words):
        (event,) = self.events("show-tree", *words)
        return event

    def test_a_search_leaves_a_tree_that_can_be_looked_at(self):
        for agent, trees in [("mcts(tree=t.json,iterations=256)", 2),
                             ("mcts(tree=t.json,form=puct,iterations=256)", 1),
                             ("mcts(tree=t.json,form=measured)", 1),
                             ("mcts(tree=t.json,form=protuner,iterations=256)", 16)]:
            with self.subTest(agent=agent):
                self.search(agent)
                # The best of several may have begun anew: it then has a root and what was measured.
                first = ("--tree", 0) if trees > 1 else ()
                shown = self.shown("t.json", "-o", "t.svg", *first)
                marks, lines = self.picture("t.svg")
                self.assertGreater(marks, 5)
                self.assertEqual(lines, marks - 1)
                self.assertEqual(shown["trees"], trees)
                self.assertEqual(shown["workload"], "matmul(m=32,n=32,k=32)")
                self.assertTrue(shown["decisions"])
                self.assertTrue(shown["trace"].startswith("trace 1\n"), shown["trace"])
                self.assertIn("C", shown["loops"])

    def test_the_best_way_is_told_in_words_and_loops(self):
        self.search("mcts(tree=t.json,iterations=256,trees=1)")
        text = self.succeed("show-tree", "t.json")
        self.assertIn("# matmul(m=32,n=32,k=32): the best way found, decision by decision", text)
        self.assertRegex(text, r"(?m)^1\. sketch \d")
        shown = self.shown("t.json")
        for number, word in enumerate(shown["decisions"], 1):
            self.assertIn(f"{number}. {word}\n", text)
        self.assertTrue(text.endswith(shown["loops"]))
        # The schedule is the one that its trace says.
        self.write("best.trace", shown["trace"])
        loops = self.succeed("show", "matmul(m=32,n=32,k=32)", "--as", "loops", "--trace",
                             "best.trace")
        self.assertEqual(loops, shown["loops"])

    def test_fewer_places_and_another_tree(self):
        self.search("mcts(tree=t.json,iterations=256,trees=3)")
        some = self.shown("t.json", "-o", "some.svg", "--nodes", "4", "--tree", "2")
        self.assertEqual((some["tree"], some["trees"]), (2, 3))
        best = self.shown("t.json", "-o", "more.svg", "--nodes", "50")
        self.assertLess(self.picture("some.svg")[0], self.picture("more.svg")[0])
        self.assertGreaterEqual(best["visits"], some["visits"])

    def test_bad_input(self):
        self.search("mcts(tree=t.json,iterations=64,trees=1)")
        for expected, *words in [
                ("found 1, expected 0 to 0", "t.json", "--tree", "1"),
                ("--tree", "t.json", "--tree", "x"),
                ("--nodes", "t.json", "--nodes", "0"),
                ("expected at most 10000", "t.json", "--nodes", "10001"),
                ("cannot write 'none/t.svg'", "t.json", "-o", "none/t.svg"),
                ("none.json", "none.json"),
                ("expected a file of mcts(tree=FILE)", "empty.json"),
                ("found no tree", "treeless.json"),
                ("deeper than 1000 decisions", "deep.json")]:
            self.write("empty.json", "")
            self.write("treeless.json", '{"schedulegym_tree": 1, "trees": []}')
            tree = json.loads((self.folder / "t.json").read_text())
            node = tree["trees"][0]["nodes"][0]
            tree["trees"][0]["nodes"] = [{**node, "parent": i - 1} for i in range(5000)]
            self.write("deep.json", json.dumps(tree))
            with self.subTest(words=words):
                self.assertIn(expected, self.refused(2, "show-tree", *words))

    def test_a_tree_that_cannot_be_written_is_known_before_the_search(self):
        os.mkdir(self.folder / "folder")
        line = self.refused(2, *SEARCH, "--agent", "mcts(tree=folder)")
        self.assertIn("cannot write 'folder'", line)


if __name__ == "__main__":
    unittest.main()
