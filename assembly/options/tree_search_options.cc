#include "assembly/options/option_rows.h"

namespace schedulegym {

const char* const kTreeSearchOptions = R"(
mcts | form | choice | uct | uct | uct, puct, measured, protuner | | Rule that the trees follow. The rows below are those of uct.
mcts | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
mcts | reward | choice | model | model | model, measured | | What values a completion: a cost model, or its measurement.
mcts | actions | choice | decisions | decisions | decisions, modify, construct | ProTuner; the gym | What an edge of the tree is: a decision of the sketch, or an action of these environments.
mcts | order | choice | outputs | outputs | outputs, structure | ours | Order of decisions: stages near the outputs first, or structure before lengths.
mcts | depth | int | 0 | 0 | 0 to 1000 | Reasoning Compiler | Decisions that the tree makes; the space draws the rest. 0: all.
mcts | constant | float | 0.5 | sqrt 2 | 0 to 1000 | Kocsis and Szepesvari, 2006 | Weight of exploration against the mean value.
mcts | branching | float | 0 | 2 | 0 to 1000 | Reasoning Compiler, B = 2 | Progressive widening: a node with N visits opens branching * N^growth children; 0 opens all.
mcts | growth | float | 0.5 | 0 | 0 to 1 | Couetoux et al., 2011 | Exponent of progressive widening.
mcts | value | choice | mixed | mean | mean, best, mixed | UCT; tinygrad; ours | Value of a node: the mean below it, the best below it, or half of each.
mcts | scaled | bool | true | true | true or false | MuZero | Scale values to 0..1 between the floor and the best, so that one constant fits all tasks.
mcts | floor | float | 0.5 | 0 | 0 to 0.99 | ours | Quantile of the values seen that scales to 0: 0 is the minimum, 0.5 the median.
mcts | joins | bool | true | false | true or false | KataGo | Merge nodes that several paths reach. Visits are counted for each path.
mcts | virtual_loss | int | 1 | 1 | 0 to 1000 | Chaslot et al., 2008 | Losses that a pending descent counts as.
mcts | trees | int | 2 | 1 | 1 to 1000 | ProTuner | Trees of the ensemble.
mcts | greedy | int | 1 | 0 | 0 to 2, that is trees | ProTuner | Trees that complete greedily: at each open decision the best of one completion of each choice.
mcts | leaves | int | 64 | 64 | 1 to 1000 | ours | Descents of each tree that the cost model evaluates in one batch.
mcts | iterations | int | 8192 | 8192 | 1 to 100000000 | ours | Evaluations by the cost model in one round, over all trees.
mcts | reuse | bool | true | true | true or false | ours | Keep the trees of the last round while the cost model is unchanged.
mcts | near | float | 0.25 | 0 | 0 to 0.9 | ansor | Share of completions that are neighbours of the best so far.
mcts | local | float | 0.2 | 0 | 0 to 1 | ansor | Share of trials that are neighbours of the best measured schedules.
mcts | round | int | 64 | 64 | 1 to 100000 | Ansor | Trials of a round, at least.
mcts | epsilon | float | 0.05 | 0 | 0 to 1 | Ansor | Share of trials that are drawn at random.
mcts | doubted | float | 0 | 0 | 0 to 1 | ours | Share of trials with the largest model uncertainty among the best of a round.
mcts | model | choice | boosted | boosted | boosted, analytical, random, FILE | Ansor | Cost model, as in ansor.
mcts | features | choice | estimated | estimated | estimated, ansor | Ansor | Inputs of the trees, as in ansor.
mcts | waits | bool | true | false | true or false | ours | Until the cost model is used, propose random samples instead of searching a random model.
mcts | tree | output | | | a path | ours | Write the trees to this JSON file after each batch, for show-tree.
mcts(form=puct) | prior | choice | model | | model, uniform, policy(file=FILE) | AlphaZero; ours | Prior over children: the cost model, none, or a trained policy of harl (hidden=N: its layer size, default 128).
mcts(form=measured) | constant | float | sqrt 2 | | 0 to 1000 | tinygrad | Weight of exploration against the best value.
mcts(form=measured) | temperature | float | 0.5 | | 1e-6 to 1000 | tinygrad | Temperature of the softmax that draws a child.
mcts(form=protuner) | trees | int | 16 | | 1 to 1000 | ProTuner | Trees of the ensemble.
mcts(form=protuner) | greedy | int | 1 | | 0 to 16, that is trees | ProTuner | Trees that complete greedily.
mcts(form=protuner) | iterations | int | 8000 | | 1 to 100000000 | its code, 500 a tree | Evaluations by the cost model for one decision, over all trees.
mcts(form=protuner) | seconds | float | 0 | | 0 to 86400 | ProTuner has 30 | Seconds for one decision; 0: no limit.
mcts(form=protuner) | measure | int | 16 | | 0 to 1000 | ProTuner, one a tree | Best schedules of the trees that are measured at each decision.
mcts(form=protuner) | root | choice | best | | best, mean, visits | ProTuner | Statistic of the root's children by which a tree decides.
mcts(form=protuner) | selection | choice | multiplicative | | multiplicative, additive | ProTuner | Form of the exploration term.
mcts(form=protuner,selection=additive) | constant | float | sqrt 2 | | 0 to 1000 | ProTuner has 10, too | Weight of exploration against the mean value.
)";

}  // namespace schedulegym
