"""Actions of `modify` by their menus, and which of one environment is which of another's."""
import unittest

from harness import PackageTest, schedulegym as sg

if sg is not None:
    from schedulegym.modify_actions import ModifyActions

SMALL = "matmul(m=64,n=48,k=96)"


class ModifyActionsTest(PackageTest):
    def actions_of(self, workload=SMALL, **arguments):
        env = sg.ScheduleEnv(workload, actions="modify", **arguments)
        self.addCleanup(env.close)
        return ModifyActions.of(env.menu), env

    def test_a_menu_says_how_many(self):
        for arguments in ({"space": "ansor"}, {"space": "schedulegym"},
                          {"workload": "softmax(n=64,m=64)", "space": "ansor"}):
            actions, env = self.actions_of(**arguments)
            self.assertEqual(actions.count, env.action_space.n, arguments)
            self.assertEqual(actions.numbers_of(actions), list(range(actions.count)))

    def test_the_same_action_has_the_same_words(self):
        conv = "conv2d(n=1,h=8,w=8,ci=8,co=8,k=3,p=1)"
        small, alone = self.actions_of(space="ansor")
        large, both = self.actions_of([SMALL, conv], space="ansor")
        self.assertTrue(large.holds(small) and not small.holds(large))
        numbers = large.numbers_of(small)
        alone.reset(seed=1)
        both.reset(seed=1, options={"workload": 0})
        both.replay(alone.to_text())
        self.assertEqual([numbers[action] for action in alone.legal_actions()],
                         both.legal_actions())
        for action in alone.legal_actions():
            self.assertEqual(alone.decode(action), both.decode(numbers[action]))

    def test_more_levels(self):
        few, many = ModifyActions(1, 2, 2, 1), ModifyActions(2, 2, 3, 2)
        self.assertEqual(many.numbers_of(few), [0, 1, 2, 3, 6, 7, 26, 27])  # 2 x 3 x 2 for a tile
        self.assertFalse(few.holds(many))
        self.assertFalse(many.holds(ModifyActions(1, 3, 2, 0)))

    def test_what_is_no_menu_of_modify(self):
        self.refused(ValueError, "found no tile and no knob", ModifyActions.of, "0: stop\n")


if __name__ == "__main__":
    unittest.main()
