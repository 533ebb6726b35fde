// Of the published tuners, which refuse one another's options (CheckTunerOptions).
#include "assembly/options/option_rows.h"

namespace schedulegym {

const char* const kTunerOptions = R"(
adatune | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
adatune | plan | int | 32 | 32 | 1 to 1000000 | AdaTune | Trials of a plan: the forest is fitted once for each.
adatune | early | int | 16 | 32 | 1 to 1000000 | ours | Trials of a plan while fewer than 128 schedules are measured.
adatune(contextual=false) | epsilon | float | 0.05 | 0.05 | 0 to 1 | AutoTVM | Share of a plan that is drawn at random.
adatune | local | float | 0.2 | 0 | 0 to 1 | ours | Share of a plan that are neighbours of the best measured schedules.
adatune | spare | int | 2 | 1 | 1 to 1000 | ours; AutoTVM | Candidates that are found for each of a plan, as some turn out to be known or refused.
adatune | model | choice | forest | forest | forest, rank | AdaTune; AutoTVM | What scores candidates: a random forest, or trees by the loss of all pairs.
adatune(model=forest) | labels | choice | log | speed | log, speed | ours; AdaTune | What the forest fits: the logarithm of speed, or GFLOP a second.
adatune(model=forest) | trees | int | 30 | 10 | 1 to 1000 | ours; AdaTune | Trees of the forest.
adatune(model=forest) | columns | int | 10 | 10 | 1 to 100000 | AdaTune | Features that are tried at each split.
adatune(model=forest) | acquire | choice | mean | ei | ei, mean, ucb | ours; AdaTune | Score of a candidate: expected improvement, mean of the trees, or mean and deviation.
adatune(model=forest) | contextual | bool | false | true | true or false | ours; AdaTune | The deviation of the trees decides the share of a plan that is drawn at random.
adatune(contextual=true) | bounded | bool | true | false | true or false | ours | That share is one trial of a plan at least, and 0.3 at most.
adatune | chains | int | 64 | 64 | 1 to 1000000 | AdaTune | Annealing chains over the forest.
adatune | steps | int | 500 | 500 | 1 to 1000000 | AutoTVM | Steps of a chain for each plan.
adatune | patience | int | 50 | 50 | 1 to 1000000 | AutoTVM | Steps that find no better candidate end the walk.
adatune | persistent | bool | true | true | true or false | AutoTVM | Chains start where they ended in the plan before.
adatune | scaled | bool | true | false | true or false | ours | The temperature counts in deviations of the scores of what was measured, not in scores.
adatune | leaders | float | 0.25 | 0 | 0 to 1 | ours | Share of the chains that begin at the best measured schedules.
adatune | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
autotvm | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
autotvm | plan | int | 64 | 64 | 1 to 1000000 | AutoTVM | Trials of a plan: the trees are fitted once for each.
autotvm | early | int | 16 | 64 | 1 to 1000000 | ours | Trials of a plan while fewer than 128 schedules are measured.
autotvm | epsilon | float | 0.05 | 0.05 | 0 to 1 | AutoTVM | Share of a plan that is drawn at random.
autotvm | local | float | 0.2 | 0 | 0 to 1 | ours | Share of a plan that are neighbours of the best measured schedules.
autotvm | spare | int | 2 | 1 | 1 to 1000 | ours; AutoTVM | Candidates that are found for each of a plan, as some turn out to be known or refused.
autotvm | diversity | int | 2 | 0 | 0 to 64 | AutoTVM | Candidates for each trial of a plan, of which those with new knob values are taken. 0: the best alone.
autotvm(diversity=1 or more) | weight | float | 0.1 | 0 | 0 to 1000000 | AutoTVM | Value of each new knob value beside the score. 0: new knob values alone count, as in the published code.
autotvm | model | choice | rank | rank | rank, regression, forest | AutoTVM; AdaTune | Trees by the loss of all pairs of schedules, or by squared error, or a random forest.
autotvm(model=rank or regression) | depth | int | 3 | 3 | 1 to 30 | AutoTVM | Levels of a tree.
autotvm(model=forest) | trees | int | 30 | 10 | 1 to 1000 | ours; AdaTune | Trees of the forest.
autotvm(model=forest) | columns | int | 10 | 10 | 1 to 100000 | AdaTune | Features that are tried at each split.
autotvm(model=forest) | acquire | choice | mean | ei | ei, mean, ucb | ours; AdaTune | Score of a candidate: expected improvement, mean of the trees, or mean and deviation.
autotvm(model=forest) | contextual | bool | false | false | true or false | AdaTune | The deviation of the trees decides the share of a plan that is drawn at random.
autotvm(model=forest) | bounded | bool | true | false | true or false | ours | With contextual=true that share is one trial of a plan at least, and 0.3 at most.
autotvm(model=regression or forest) | labels | choice | log | speed | log, speed | ours; AutoTVM | What the model fits: the logarithm of speed, or speed; a forest GFLOP a second.
autotvm | features | choice | knobs | knobs | knobs, ansor | AutoTVM | Inputs of the trees: values of knobs, or Ansor's features of the lowered schedule.
autotvm | chains | int | 128 | 128 | 1 to 1000000 | AutoTVM | Annealing chains over the trees.
autotvm | steps | int | 500 | 500 | 1 to 1000000 | AutoTVM | Steps of a chain for each plan. With features=ansor and mode=improved: 50.
autotvm | patience | int | 50 | 50 | 1 to 1000000 | AutoTVM | Steps that find no better candidate end the walk.
autotvm | persistent | bool | true | true | true or false | AutoTVM | Chains start where they ended in the plan before.
autotvm | scaled | bool | true | false | true or false | ours | The temperature counts in deviations of the scores of what was measured, not in scores.
autotvm | leaders | float | 0.25 | 0 | 0 to 1 | ours | Share of the chains that begin at the best measured schedules.
autotvm | transfer | file | | | a file of tune --save-model | AutoTVM | Trees of other tasks, saved by autotvm(features=ansor), that choose the first plan and count less with each measurement. Needs features=ansor.
autotvm(transfer=FILE) | discount | float | 64.0 | 64.0 | 1e-06 to 1000000000 | AutoTVM | Measurements that halve the weight of these trees; below 0.05 it is 0.
autotvm | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
bayes | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
bayes | targets | choice | log | ms | log, ms | ours; Kernel Tuner | What the process fits: log seconds, or milliseconds.
bayes | spacing | choice | own | shared | own, shared | ours; Kernel Tuner | Coordinates of a knob: from 0 to 1, numbers as logarithms, or one spacing for all knobs.
bayes | kernel | choice | matern52 | matern32 | matern32, matern52, rbf | Kernel Tuner | Covariance of the Gaussian process.
bayes | fitted | bool | true | false | true or false | ours | The likelihood of the targets chooses the length among five.
bayes(fitted=false) | length | float | 1.5 | 1.5 | 0.001 to 1000 | Kernel Tuner | Length of the covariance.
bayes | noise | float | 0.0001 | 1e-10 | 0 to 1000 | Kernel Tuner | Least variance of a measurement, in units of the variance of all.
bayes | intervals | bool | true | false | true or false | ours | A measurement has the variance of its recorded interval, at least.
bayes | first | int | 20 | 20 | 1 to 100000 | Kernel Tuner | Successful measurements before the Gaussian process chooses.
bayes | design | choice | lhs | lhs | lhs, random | Kernel Tuner | How these are drawn: a Latin hypercube of the knobs, or at random.
bayes | acquire | choice | ei | advanced | ei, poi, lcb, multi, advanced, fast | Kernel Tuner | Acquisition, or a portfolio of the three.
bayes(acquire=multi or advanced) | fading | float | 0.95 | 0.95 | 0 to 1 | Kernel Tuner | Weight of a result beside the next one, in the sums that compare acquisitions. With acquire=multi: 0.65.
bayes(acquire=advanced) | margin | float | 0.1 | 0.1 | 0 to 1 | Kernel Tuner | An acquisition whose sum is off the mean by this share counts as better or worse; at five it leaves, or stays alone.
bayes | factor | float | 0.0 | contextual | -1 to 1000000 | Kernel Tuner | Exploration factor of the acquisitions. contextual, or below 0: contextual variance.
bayes | pool | int | 4096 | 4096 | 2 to 1000000 | ours | Candidates of which the next is chosen, where more than 20,000 exist.
bayes | batch | int | 1 | 1 | 1 to 100000 | ours | Candidates that are chosen at once; each counts as measured at its predicted value meanwhile.
bayes | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
chameleon | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
chameleon | explorer | choice | ppo | ppo | ppo, annealing | Chameleon | What looks for candidates under the trees: a policy, or annealing.
chameleon | choose | choice | kmeans | kmeans | kmeans, top | Chameleon | What is measured of them: a candidate for each cluster, or the best.
chameleon(choose=kmeans) | synthesis | choice | mode | sample | mode, sample, none | Chameleon | Knobs of a cluster's candidate that have the most frequent value, or that of a random candidate; none: the candidate nearest to the centre.
chameleon | plan | int | 64 | 64 | 1 to 1000000 | Chameleon | Candidates for a plan, which has at most as many trials.
chameleon | early | int | 16 | 64 | 1 to 1000000 | ours | The same while fewer than 128 schedules are measured.
chameleon | epsilon | float | 0.05 | 0.05 | 0 to 1 | Chameleon | Share of a plan that is drawn at random.
chameleon | local | float | 0.2 | 0 | 0 to 1 | ours | Share of a plan that are neighbours of the best measured schedules.
chameleon | spare | int | 2 | 1 | 1 to 1000 | ours; Chameleon | Candidates that are found for each of a plan, as some turn out to be known or refused.
chameleon | labels | choice | log | speed | log, speed | ours; Chameleon | What the trees fit: the logarithm of speed, or speed.
chameleon(explorer=ppo) | episodes | int | 128 | 128 | 1 to 100000 | Chameleon | Episodes of a walk for each plan.
chameleon(explorer=ppo) | steps | int | 50 | 500 | 1 to 1000000 | ours; Chameleon | Steps of an episode, at most.
chameleon(explorer=ppo) | batch | int | 32 | 32 | 1 to 1000000 | Chameleon | Rows of a step of learning. With together=true at least 256.
chameleon(explorer=ppo) | rate | float | 0.001 | 0.001 | 1e-09 to 1 | Chameleon | Step size of Adam.
chameleon(explorer=ppo) | reward | choice | gain | score | gain, score | ours; Chameleon | What a step is paid: the gain of the score, or the score.
chameleon(explorer=ppo) | together | bool | true | false | true or false | ours | Episodes walk side by side and teach once, not one after another.
chameleon(explorer=ppo) | leaders | float | 0.25 | 0 | 0 to 1 | ours | Share of the episodes that begin at the best measured schedules.
chameleon(explorer=ppo) | clip | float | 0.2 | 0.2 | 0.001 to 0.999 | Chameleon | Clip of the policy ratio.
chameleon(explorer=ppo) | entropy | float | 0.3 | 0.3 | 0 to 1000000 | Chameleon | Weight of the entropy.
chameleon(explorer=ppo) | gamma | float | 0.9 | 0.9 | 0 to 1 | Chameleon | Discount of later rewards.
chameleon(explorer=ppo) | lambda | float | 0.99 | 0.99 | 0 to 1 | Chameleon | Decay of advantages over steps.
chameleon(explorer=ppo) | temperature | float | 1.0 | 0.1 | 0.001 to 1000 | ours; Chameleon | The numbers of the heads are divided by it.
chameleon(explorer=ppo) | adam_eps | float | 1e-08 | 1e-05 | 1e-12 to 1 | ours; Chameleon | Epsilon of Adam.
chameleon(explorer=ppo) | max_grad_norm | float | 0.5 | 0.0 | 0 to 1000000 | ours | Longer gradients of actor and critic together are cut to it. 0: none are.
chameleon(explorer=ppo) | lessons | int | 3 | 3 | 1 to 10000 | Chameleon | Steps of learning after each episode; with together=true, passes over all rows.
chameleon(explorer=ppo) | hidden | int | 20 | 20 | 1 to 4096 | Chameleon | Units of each of the two layers of actor and critic.
chameleon(explorer=ppo) | end | float | 0.75 | 0.75 | 0 to 1 | Chameleon | Share of the knobs that stay, or are at a border, where an episode ends.
chameleon(choose=kmeans) | threshold | float | 2.5 | 2.5 | 1 to 1000000 | Chameleon | More clusters are tried while their loss falls by this factor.
chameleon(choose=kmeans) | passes | int | 100 | 100 | 1 to 10000 | Chameleon | Passes of k-means, at most.
chameleon(choose=kmeans) | clusters | choice | all | largest | all, largest | ours; Chameleon | Knobs that are clustered: all, from spread starts, or the two with most values, from random ones with whole centres.
chameleon(explorer=annealing) | chains | int | 128 | 128 | 1 to 1000000 | AutoTVM | Annealing chains over the trees.
chameleon(explorer=annealing) | scaled | bool | true | false | true or false | ours | The temperature counts in deviations of the scores of what was measured, not in scores.
chameleon(explorer=annealing) | persistent | bool | true | false | true or false | AutoTVM; Chameleon | Chains start where they ended in the plan before.
chameleon | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
flextensor | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
flextensor | method | choice | p | p | p, random, q | FlexTensor | Moves that are measured: all of one schedule, or one of each decision of several, at random or as a network chooses (q).
flextensor | warm | int | a tenth of the trials | 400 | 0 to 1000000 | FlexTensor | Trials at random before the first turn, at most a third of all. Without a budget: 40.
flextensor | gamma | float | 0.5 | 0.5 | 0 to 1000000 | FlexTensor | How seldom a slower schedule is taken or remembered.
flextensor | parallel | int | 1 | 1 | 1 to 100000 | FlexTensor | Random schedules after each turn; with method=random and q also the schedules of a turn.
flextensor(method=p) | moves | int | 16 | 0 | 0 to 1000000 | ours | Moves of a schedule that are measured in a turn. 0: all.
flextensor(method=p) | retire | bool | true | true | true or false | FlexTensor | The best schedule is left for some turns where no move was better.
flextensor | stop | int | 0 | 15 | 0 to 1000000 | FlexTensor | Turns that change the best by less than `change` end the search. 0: none do.
flextensor(stop=1 or more) | change | float | 0.02 | 0.02 | 0 to 1000000 | FlexTensor | Least change of the best, in milliseconds.
flextensor(method=p or q) | cadence | choice | turns | trials | turns, trials | ours; FlexTensor | When retired schedules return and a network learns: after five turns, or after a twentieth and a fifth of the trials. Without a budget: turns.
flextensor(method=q) | epsilon | float | 0.8 | 0.8 | 0 to 1 | FlexTensor | Probability of a random move in the first turn.
flextensor(method=q) | decay | float | 0.01 | 0.01 | 0 to 1000000 | FlexTensor | That probability falls by exp(-decay) each turn.
flextensor(method=q) | floor | float | 0.1 | 0.1 | 0 to 1 | FlexTensor | It stays at least this.
flextensor(method=q) | discount | float | 0.9 | 0.9 | 0 to 1 | FlexTensor | Weight of what follows a move.
flextensor(method=q) | reward | choice | log | tanh | log, tanh | ours; FlexTensor | What a move is paid: the logarithm of its gain, losses included, or tanh of the milliseconds that it gains.
flextensor(method=q) | epochs | int | 4 | 20 | 1 to 10000 | ours; FlexTensor | Passes of a lesson over the last 1,000 moves.
flextensor(method=q) | double | bool | true | false | true or false | ours; FlexTensor | The network chooses the move that follows, and its copy says what that is worth.
flextensor(method=q) | optimizer | choice | adam | adadelta | adam, adadelta | ours; FlexTensor | Rule of the steps.
flextensor(method=q) | rate | float | 0.001 | 0.02 | 1e-09 to 10 | ours; FlexTensor | Step size. With optimizer=adadelta: 0.02.
flextensor | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
gbfs | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
gbfs | rho | int | 5 | 5 | 1 to 100000 | G-BFS | Moves of a schedule that are measured together.
gbfs | start | choice | random | origin | origin, random | G-BFS | First schedule: the unoptimised one of each sketch, or a random one.
gbfs | others | bool | true | false | true or false | ours | Knobs that are no tiles move, too, one value at a time.
gbfs | queue | choice | stays | once | stays, once | ours; G-BFS | A schedule stays in the queue until its moves are used up, and failures are not taken; or each is taken once.
gbfs | restart | int | 32 | 0 | 0 to 1000000 | ours | Trials without a gain after which the search restarts at a random schedule. 0: never.
gbfs | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
heron | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
heron | search | choice | cga | cga | cga, ga, sa, crand | Heron | Genetic search under constraints, the same without them, annealing, or solutions at random.
heron | plan | int | 32 | 32 | 1 to 1000000 | Heron | Trials of a plan: the trees are fitted once for each.
heron | early | int | 16 | 32 | 1 to 1000000 | ours | Trials of a plan while fewer than 128 schedules are measured.
heron(search=cga or ga or sa) | epsilon | float | 0.05 | 0.0 | 0 to 1 | ours | Share of a plan that is drawn at random.
heron(search=cga or ga or sa) | local | float | 0.2 | 0 | 0 to 1 | ours | Share of a plan that are neighbours of the best measured schedules.
heron(search=cga or ga or sa) | spare | int | 4 | 4 | 1 to 1000 | ours | Candidates that are found for each of a plan.
heron(search=cga or ga or sa) | labels | choice | log | speed | log, speed | ours; Heron | What the trees fit: the logarithm of speed, or speed.
heron(search=cga or ga or sa) | depth | int | 7 | 7 | 1 to 30 | Heron | Levels of a tree.
heron(search=cga or ga or crand) | spill | float | 4.0 | 4.0 | 0 to 1000000 | ours | Results that innermost tiles may hold, in registers of the target. 0: any number.
heron(search=cga or ga or crand) | code | int | 2500 | 2500 | 0 to 1000000000 | ours | Operations that the innermost tiles of a stage may hold, where they are unrolled whole. 0: any number.
heron(search=cga or ga or crand) | caches | bool | false | false | true or false | Heron | Inner tiles have to fit into the caches, and outer ones to give each core an iteration.
heron(search=cga or ga) | population | int | 200 | 200 | 1 to 1000000 | Heron | Candidates of a generation, and solutions drawn for each round.
heron(search=cga or ga) | generations | int | 5 | 5 | 0 to 1000 | Heron | Generations of each round.
heron(search=cga or ga) | select | int | 100 | 100 | 1 to 1000000 | Heron | Parents that the roulette draws, and children of a generation.
heron(search=cga or ga) | measured | int | 32 | 32 | 0 to 1000000 | Heron | The best measured schedules that join a population.
heron(search=cga or ga) | kept | int | 20 | 20 | 0 to 1000000 | Heron | The best candidates that join the next generation.
heron(search=cga or ga) | fresh | bool | true | false | true or false | ours | A child that is known already is bred anew.
heron(search=cga) | keys | choice | importance | importance | importance, random, half | Heron | Knobs that a child takes over from its parents: those by which the trees split most, random ones, or half of each.
heron(search=cga) | share | float | 0.2 | 0.2 | 0 to 1 | Heron | Share of the knobs of a sketch that are keys, at least two of them.
heron(search=cga) | open | int | 2 | 1 | 1 to 1000 | ours | Keys that a child leaves open after a round that found nothing faster; else one.
heron(search=cga or ga or sa) | top | float | 0.6 | 0.6 | 0 to 1 | Heron | Share of a plan that are the best candidates. The others are drawn by roulette.
heron(search=sa) | scaled | bool | true | false | true or false | ours | The temperature counts in deviations of the scores of what was measured, not in scores.
heron | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
metaschedule | population | int | 512 | 512 | 1 to 1000000 | MetaSchedule | Schedules of a generation.
metaschedule | measured | float | 0.2 | 0.2 | 0 to 1 | MetaSchedule | Share of a population, at most, that are the best measured schedules.
metaschedule | least | int | 50 | 50 | 1 to 1000000 | MetaSchedule | Random schedules of a population, at least.
metaschedule | generations | int | 4 | 4 | 0 to 1000 | MetaSchedule | Generations of each round.
metaschedule | mutation | float | 0.85 | 0.85 | 0 to 1 | MetaSchedule | Probability that a child is a mutation; else it is a copy.
metaschedule | draws | int | 10 | 10 | 1 to 1000 | MetaSchedule | Draws for each child, at most, as mutations fail.
metaschedule | tile | float | 0.9 | 0.9 | 0 to 1 | MetaSchedule | Share of mutations that carry a factor between levels of a tile. Shares count among the kinds of decision that a sketch has.
metaschedule | location | float | 0.05 | 0.05 | 0 to 1 | MetaSchedule | Share of mutations that move a computation to another loop.
metaschedule | unroll | float | 0.03 | 0.03 | 0 to 1 | MetaSchedule | Share of mutations that change the unrolling.
metaschedule | parallel | float | 0.02 | 0.02 | 0 to 1 | MetaSchedule | Share of mutations that change what runs in parallel.
metaschedule | round | int | 64 | 64 | 1 to 100000 | MetaSchedule | Trials of a round: one evolution for each.
metaschedule | epsilon | float | 0.05 | 0.05 | 0 to 1 | MetaSchedule | Share of a round that is drawn at random.
metaschedule | empty | int | 5 | 5 | 1 to 1000 | MetaSchedule | Rounds without a candidate, one after another, that end the search of a task.
metaschedule | trusted | int | 100 | 100 | 1 to 1000000 | MetaSchedule | Measurements over all tasks from which on the trees rank; before, chance does.
metaschedule | cadence | choice | adaptive | adaptive | adaptive, always | MetaSchedule | The trees are trained when a fifth more is measured, or whenever anything is.
metaschedule | retries | int | 1000 | | at least 1 | ours | Draws in a row without a new place that end the drawing of a population.
na2c | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
na2c | states | int | 6 | 6 | 1 to 10000 | N-A2C | Schedules that are collected for each lesson.
na2c | steps | int | 3 | 3 | 1 to 10000 | N-A2C | Moves of a walk.
na2c | epsilon | float | 0.1 | 0.1 | 0 to 1 | N-A2C | Probability that a move is drawn uniformly.
na2c | elite | int | 8 | 1 | 1 to 10000 | ours; N-A2C | Walks begin at one of so many fastest schedules.
na2c | others | bool | true | false | true or false | ours; N-A2C | Knobs that are no tiles move, too.
na2c | sign | choice | paper | code | paper, code | N-A2C | Sign of the policy's loss. The published code makes good moves rarer.
na2c | reward | choice | log | gflops | log, gflops | ours; N-A2C | What a move is paid: the logarithm of speed over the best before, or GFLOP a second.
na2c | masked | bool | true | false | true or false | ours | Illegal moves are not drawn. Published ones are drawn, and stay.
na2c | start | choice | random | origin | origin, random | ours; N-A2C | First schedules: the unoptimised one, or random ones.
na2c | rate | float | 0.001 | 0.001 | 1e-09 to 1 | N-A2C | Step size of Adam.
na2c | hidden | int | 128 | 128 | 1 to 4096 | N-A2C | Units of the layer that actor and critic share.
na2c | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
)";

}  // namespace schedulegym
