#include "assembly/options/option_rows.h"

namespace schedulegym {

const char* const kSchedulerOptions = R"(
dynamic_random | slot | spec | turn | | turn, trials(n=N), seconds(s=S) | DynaTune | Length of a slot.
dynamic_random | task_patience | int | 0 | | at least 0 | DynaTune | Trials without a gain after which a task retires; 0: never.
dynamic_round_robin | slot | spec | turn | | turn, trials(n=N), seconds(s=S) | DynaTune | Length of a slot.
dynamic_round_robin | task_patience | int | 0 | | at least 0 | DynaTune | Trials without a gain after which a task retires; 0: never.
random | slot | spec | turn | | turn, trials(n=N), seconds(s=S) | DynaTune | Length of a slot.
dynatune | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published and released.
dynatune | curve_model | choice | log_power | log_power | nine, log_power, weibull, pow4, ... | released | Family of curves. nine combines all nine families of the paper and takes 200 times as long.
dynatune | fit | choice | sampled | sampled | sampled, least_squares | released | Fit by sampling, which gives an uncertainty, or by least squares.
dynatune | walkers | int | 10 | 10 | 2 to 10000 | released | Walkers of the sampler; 100 for nine. At least two for each parameter.
dynatune | steps | int | 500 | 500 | 1 to 1000000 | released | Steps of the sampler; 2500 for nine.
dynatune | burn_in | int | 300 | 300 | 0 to steps - 1 | released | First steps that are discarded; 500 for nine.
dynatune | recency | bool | false | false | true or false | released | Weigh the latest point of a curve ten times as much as the first.
dynatune | score | choice | improvement | latency | improvement, latency, speed | released; paper; released | Worth of a slot: expected improvement, extrapolated latency, or extrapolated speed.
dynatune | slot | spec | seconds(s=3) | seconds(s=20) | seconds(s=S), trials(n=N), turn | ours; released | Length of a slot.
dynatune | c | float | 0.02 | 2 | 0 to 1000000 | ours; released | Weight of exploration (UCB) against worths that are scaled to at most 1.
dynatune | records | float | 0.1 | 0 | 0 to 1 | ours | Share of its latency that a record no curve foresees saves. The chance of a record after n trials is 1 / (n + 1).
dynatune | weights | choice | share | none | share, none | ours; released | Weigh a task by how often the networks run it, or once.
dynatune | log_trials | bool | true | false | true or false | ours | Fit curves over the logarithm of the trials.
dynatune | similar | bool | true | false | true or false | ours | Share the shape of curves among tasks that differ only in sizes.
dynatune | per_second | bool | true | false | true or false | ours | Divide the worth of a slot by its seconds. false unless slots are seconds.
dynatune | gain | choice | curve | best | curve, best | ours; released | Gain: the rise of the curve, or its end above the best so far.
dynatune | short_warm_up | bool | true | false | true or false | ours | The first success of a task ends its slot.
dynatune | points | int | 100 | 0 | 0 to 1000000 | ours | Points of a curve that are fitted; 0: all.
dynatune | task_patience | int | 0 | 50 | 0 to 2147483647 | ours; released | Trials without a gain after which a task retires; 0: never.
dynatune | warm_up | int | 3 | 3 | 1 to 1000000 | ours | Slots without a success after which a task is given up.
gradient | mode | choice | fixed | faithful | fixed, faithful | | faithful: as in TVM; history defaults to one.
gradient | alpha | float | 0.2 | 0.2 | 0 to 1 | Ansor | Weight of the measured slope against the optimistic guess.
gradient | beta | float | 2 | 2 | 1 to 1e9 | Ansor | Expected speed-up over similar tasks.
gradient | window | int | 3 | 3 | 1 to 1000000 | Ansor | Rounds over which the slope is taken.
gradient | objective | choice | latency | latency | latency, requirement, speedup | Ansor | Minimise the sum of latencies, reach a latency, or maximise the geometric mean speed-up.
gradient | requirement | float | | | above 0, seconds | Ansor | Latency that a network may have; a text of several numbers, one for each network.
gradient | epsilon | float | 0 | 0 | 0 to 1 | TVM | Probability of a random task.
gradient | task_patience | int | 0 | 0 | at least 0 | Ansor | Trials without a gain after which a task rests; 0: never.
gradient | patience | int | 0 | 0 | at least 0 | Ansor | Trials without a gain of any task after which the search ends; 0: never.
gradient | history | choice | all | one | all, one | ours; TVM | Take slopes over earlier searches of the store, too, or over this one.
gradient | foresee | int | 0 | 0 | 0 to 1000000 | FamilySeer | Trials, at most, of a turn more after each: of the most promising other task of the same family (published 16, with turn=64). It counts as no round of that task. 0: none.
gradient | turn | int | 0 | 0 | 0 to 1000000 | TVM | Trials of a turn (TVM's 64), at most the budget over the number of tasks. 0: 16, at most the same.
gradient | model | file | | | a path | ours | State of an earlier run (tune --save-model) to resume from.
swucb | window | int | 256 | | 1 to 1000000 | recalled of HARL | Turns that the bandit remembers.
swucb | exploration | float | 0.25 | | 0 to 100 | recalled of HARL | Weight of the exploration term.
swucb | alpha | float | 0.2 | | 0 to 1 | Ansor | Weight of the measured slope against the optimistic guess.
swucb | beta | float | 2 | | 1 to 1e9 | Ansor | Expected speed-up over similar tasks.
swucb | rounds | int | 3 | | 1 to 1000000 | Ansor | Rounds over which the slope is taken.
swucb | model | file | | | a path | ours | State of an earlier run (tune --save-model) to resume from.
)";

}  // namespace schedulegym
