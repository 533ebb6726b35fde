#include "assembly/options/option_rows.h"

namespace schedulegym {

const char* const kObservationOptions = R"(
loops | rows | int | 40 | | 1 to 256 | ours | Loops that are shown; the rest is cut off, missing rows are zero.
ansor | rows | int | 16 | | 1 to 64 | Ansor | Statements that are shown.
ansor | pooled | bool | false | | true or false | ours | Maxima and means over statements in place of rows.
tokens | length | int | 48 | | 1 to 512 | TLP | Primitives that are shown, the last ones.
tokens | fields | int | 20 | | 1 to 64 | TLP | Numbers of a primitive that are shown.
history | length | int | 16 | | 1 to 1024 | ours | Actions that are shown, the newest first.
knobs | most | int | 48 | | 1 to 1024 | ours | Knobs that are shown.
task | definitions | int | 8 | | 1 to 64 | ours | Definitions of the computation that are shown.
)";

const char* const kRewardOptions = R"(
final | failure | float | -8.0 | | -50 to 0 | ours | Log speed of a schedule that fails.
difference | discount | float | 1.0 | | above 0, at most 1 | Ng et al., 1999 | Discount of potential-based shaping.
difference | failure | float | -8.0 | | -50 to 0 | ours | Log speed of a schedule that fails.
difference | dead_band | bool | false | | true or false | ours | Hold back changes within the noise of a measurement.
improvement | failure | float | -8.0 | | -50 to 0 | ours | Log speed of a schedule that fails.
)";

const char* const kSuiteOptions = R"(
ansor_ops | batch | int | all | | 1, 16 | Ansor | Keep the cases of one batch size.
ansor_ops | operator | text | all | | a short name such as C2D | Ansor | Keep the cases of one operator.
)";

// Arguments of gymnasium.make. The first owner has those that all ids of its actions take. An id's
// own defaults, of `env/gym/builtin_environments.cc`, replace these.
const char* const kEnvironmentOptions = R"(
schedule | workload | spec or list | matmul(m=512,n=512,k=512) | | a workload, a .dag file or text, a Task | | What is scheduled. Of several workloads each episode draws one.
schedule | target | spec | llvm | | a target | | The machine; of a table the one it was recorded for.
schedule | observation | name or list | loops (construct), knobs (else) | | see observations | | One name gives an array, several a dict.
schedule | reward | spec | final | | see rewards | | What a step pays.
schedule | space | spec | ansor | | see spaces | | Search space of `modify`.
schedule | start | choice | random | | random, origin | | First schedule of `modify`: sampled, or unoptimised.
schedule | model | spec | analytical | | see models, or FILE | | Cost model of the Model ids: one of `list models`, or a file of tune --save-model.
schedule | table | file | matmul or matmul_tree | | a table | | Recorded table of the Table ids and of File.
schedule | input | file | | | a T1 file | | Input file of another tuner, beside its T4 file.
schedule | steps | int | 128 (construct), 64 (else) | | at least 1 | | Actions of an episode, at most.
schedule | protocol | spec | cpu1 | | see protocols | | How the measured ids time a candidate.
schedule | measuring_seed | int | 0 | | an integer | | Seed of the order of samples.
schedule | store | file | | | a path or an open RecordStore | | Where measurements are recorded.
schedule | measure | spec | | | host, analytical, model(MODEL), table(file=FILE) | | Chooses the evaluator by a spec, in place of model and table.
schedule | render_mode | choice | | | ansi, rgb_array | | What render() returns: the loop nests as text, or a picture.
network | workload | spec or list | four layers of an image network | | a network, a .net file, workloads | | The network. A pair (count, workload) stands for several layers.
network | target | spec | llvm | | a target | | The machine.
network | table | file or list | matmul, conv2d | | tables | | Recorded tables that are the tasks (NetworkTable).
network | curves | file or list | | | files of tune --curves-out | | Recorded searches that are the tasks (NetworkTable).
network | half | choice | all | | all, development, heldout | | Keep one half of the tasks of `curves`.
network | agent | spec | random | | see agents | | Agent that proposes the trials of a slot.
network | space | spec | ansor | | see spaces | | Search space.
network | reward | spec | difference | | final, difference, improvement | | What a step pays.
network | slots | int | 64 | | at least 1 | | Slots of an episode, without the warm-up.
network | batch | int | 16 (NetworkTable: 4) | | at least 1 | | Trials of a slot.
network | warm_up | bool | True | | True, False | | Start after one slot for each task.
network | max_tasks | int | tasks of the network | | at least the tasks | | Rows of observations, so that one policy fits several networks.
network | protocol | spec | cpu1 | | see protocols | | How candidates are timed (Network).
network | measuring_seed | int | 0 | | an integer | | Seed of the order of samples.
network | plugins | list | | | shared libraries | | Plugins whose agents may be named.
network | measure | spec | | | host, analytical, table(file=FILE) | | Chooses the evaluator by a spec.
network | render_mode | choice | | | ansi | | What render() returns.
)";

}  // namespace schedulegym
