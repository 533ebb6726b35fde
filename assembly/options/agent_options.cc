#include "assembly/options/option_rows.h"

namespace schedulegym {

const char* const kAgentOptions = R"(
annealing | start | float | 1.0 | | above 0 | Kernel Tuner | Temperature at the first trial, in units of the relative slowdown of a neighbour.
annealing | end | float | 0.001 | | above 0, at most start | Kernel Tuner | Temperature at the last trial.
annealing | adjacent | float | 0.8 | | 0 to 1 | ours | Share of neighbours that move one knob of the sketch by one step. The others draw one decision again.
annealing | steps | int | trials of the task | | at least 1 | Kernel Tuner | Trials over which the temperature falls. Without a budget: 300.
annealing | chains | int | 1 | | 1 to 1024 | ours | Independent chains; each keeps one candidate in flight.
annealing | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
ansor | mode | choice | fast | faithful | fast, faithful | | Defaults of the other options: tuned here, or as published.
ansor | model | choice | boosted | boosted | boosted, analytical, random, FILE | Ansor | Cost model: boosted trees fitted during the search, the analytical model, random scores, or a file of tune --save-model to start from.
ansor | models | choice | run | run | run, family, task | Ansor; FamilySeer | One cost model for all tasks of the run, one for each kind of computation, or one for each task.
ansor(models=family) | by | choice | name | name | name, form | ours | Kinds are the names of built-in workloads, or the forms of the texts: .dag texts without their numbers.
ansor | population | int | 2048 | 2048 | 1 to 1000000 | Ansor | Schedules of a generation.
ansor | generations | int | 4 | 4 | 0 to 1000 | Ansor | Generations of each round.
ansor | mutation | float | 0.85 | 0.85 | 0 to 1 | Ansor | Probability that a child is a mutation; else it is a crossover.
ansor | round | int | 64 | 64 | 1 to 100000 | Ansor | Trials of a round: one evolution for each.
ansor | epsilon | float | 0.05 | 0.05 | 0 to 1 | Ansor | Share of a round that is drawn at random.
ansor | features | choice | estimated | ansor | estimated, ansor | ours; Ansor | Inputs of the trees: Ansor's 164 features with or without the analytical model's estimate.
ansor | trusted | int | 48 | 100 | 0 to 1000000 | ours; Ansor | The trees rank candidates once more measurements than this exist.
ansor | warm_up | int | 0 | 0 | 0 to 1000000 | FamilySeer | In place of trusted, measurements for each task of a model (FamilySeer: 64, so family size times 64). 0: trusted.
ansor | estimate_first | bool | true | false | true or false | ours | Before the trees rank: rank by the analytical model (true) or at random (false).
ansor | local | float | 0.2 | 0 | 0 to 1 | ours | Share of a round that are neighbours of the best measured schedules.
ansor | niches | bool | false | false | true or false | ours | Half of the neighbours come from the best schedule of each placement of stages.
ansor | draft | spec | none | none | none, estimate, analytical(version=2), pretrained, pretrained_tuna, FILE | Pruner; models ours | Evolution is under this model; the search's own ranks only its best, once it is trusted. estimate is the analytical model. A network is refused. The analytical model of a GPU needs the key bandwidth.
ansor(draft=MODEL) | drafted | int | 512 | 512 | 1 to 1000000 | code (Pruner) | Best schedules of a draft that the model ranks.
ansor(draft=MODEL) | redraft | int | 2 | 2 | 1 to 1000 | code (Pruner) | Rounds that take the same draft.
ansor(draft=MODEL) | beside | float | 0.1 | 0.1 | 0 to 1 | code (Pruner); ours | The best measured schedules and (ours) fresh draws that are ranked beside the draft: each this share of drafted, at least one.
ansor(draft=MODEL) | population | int | 2048 | 1536 | 1 to 1000000 | Ansor; code (Pruner) | Schedules of a generation of the draft.
ansor(draft=MODEL) | generations | int | 4 | 2 | 0 to 1000 | Ansor; code (Pruner) | Generations of a draft. The model ranks one more.
ansor(draft=MODEL) | round | int | 64 | 10 | 1 to 100000 | Ansor; code (Pruner) | Trials of a round.
ansor(draft=MODEL) | epsilon | float | 0.05 | 0.1 | 0 to 1 | Ansor; code (Pruner) | Share of a round that is drawn at random.
ansor | finetune | bool | true | true | true or false | Ansor's ablation | false: rank random samples only, without evolution.
ansor | beam | bool | false | false | true or false | Ansor's ablation | true: build schedules tile by tile and keep the best unfinished ones.
ansor(beam=true) | beam_width | int | 32 | 32 | 1 to 1000000 | ours | Unfinished schedules that are kept at each step.
beam | reward | choice | model | | model, measured | Adams et al., 2019; ours | What ranks completions: a cost model, or measurements.
beam | width | int | 32 | | 1 to 100000 | Adams et al., 2019 | Partial schedules that are kept at each decision.
beam | passes | int | 5 | | 1 to 1000 | Adams et al., 2019 | How often a round starts again at the first decision.
beam | model | choice | boosted | | boosted, analytical, random, FILE | Ansor | Cost model, as in ansor.
beam | features | choice | estimated | | estimated, ansor | Ansor | Inputs of the trees, as in ansor.
beam | order | choice | outputs | | outputs, structure | ours | Order of decisions: stages near the outputs first, or structure before lengths.
beam | round | int | 64 | | 1 to 100000 | Ansor | Trials of a round, at least.
beam(reward=measured) | width | int | 4 | | 1 to 100000 | ours | Partial schedules that are kept at each decision.
blind | agent | spec | ansor | | any agent | ours | The agent that receives permuted measurements. A control for what learning brings.
collect | bred | float | 0.25 | | 0 to 1 | TenSet | Share of trials that are children of one generation under random scores.
collect | searched | float | 0.25 | | 0 to 1 | ours | Share of trials that `agent` proposes. The rest is drawn at random.
collect | population | int | 2560 | | at least 1 | TenSet | Schedules of that generation, at most.
collect | agent | spec | ansor | | any agent | ours | The agent that proposes the searched share.
dpansor | k | int | 300 | 300 | at least 1 | DPAnsor | Trials of the first agent for each task. Reduced where the budget does not hold them.
dpansor | mode | choice | fixed | faithful | fixed, faithful | | faithful: DPAnsor as published, with its faults.
dpansor | trials | int | 100 | 100 | at least 1 | DPAnsor | Trials of the descent that follows, at most.
dpansor | p | float | 0.05 | 0.05 | 0 to 1 | Droplet | Significance level of a step; see droplet.
dpansor | agent | spec | ansor | ansor(mode=faithful) | any agent | DPAnsor | The first agent.
droplet | mode | choice | fixed | faithful | fixed, faithful | | faithful: AutoTVM's Droplet, with its faults.
droplet | p | float | 0.05 | 0.05 | 0 to 1 | Droplet | A step is taken where its gain is significant at this level; 1 takes any gain.
droplet | speculate | bool | true | true | true or false | Droplet | Propose the next steps before the current ones are measured.
droplet | sketch | int | all | all | at least 0 | ours | Descend from one sketch only, by its number.
es | model | spec | pretrained | | pretrained, analytical, random, FILE | Tuna | The model that scores places. It is trained beforehand; measurements do not change it.
es | samples | int | 64 | | 2 to 1000000 | Tuna | Samples of a step.
es | step | float | 0.1 | | 0.000001 to 10 | ours | Step of the means.
es | steps | int | 30 | | 1 to 1000000 | ours | Steps of each sketch before its best places are proposed.
es | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
genetic | population | int | 100 | | 1 to 1000000 | AutoTVM | Schedules of a generation.
genetic | elite | int | 3 | | 1 to 1000000 | AutoTVM | Best schedules that may be parents in every later generation.
genetic | mutation | float | 0.1 | | 0 to 1 | AutoTVM | Probability of each decision to be drawn again.
genetic | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
greedy | model | choice | boosted | | boosted, analytical, random, FILE | Ansor | Cost model, as in ansor.
greedy | features | choice | estimated | | estimated, ansor | Ansor | Inputs of the trees, as in ansor.
greedy | order | choice | outputs | | outputs, structure | ours | Order of decisions, as in beam.
greedy | round | int | 64 | | 1 to 100000 | Ansor | Trials of a round, at least.
guided | samples | int | 100 | | 1 to 1000000 | Tiramisu; value ours | Random walks of a round.
guided | k | int | 10 | | 1 to 100000 | Tiramisu; value ours | Schedules of a round that are measured.
guided | depth | int | 0 | | 0 to 1000 | Tiramisu; value ours | Decisions of a walk; 0 walks to the end.
guided | model | choice | boosted | | boosted, analytical, random, FILE | Ansor | Cost model, as in ansor.
guided | features | choice | estimated | | estimated, ansor | Ansor | Inputs of the trees, as in ansor.
guided | order | choice | outputs | | outputs, structure | ours | Order of decisions, as in beam.
hill | patience | int | 50 | | 1 to 1000000 | Kernel Tuner | Neighbours without a gain after which the climb restarts.
hill | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
local | neighbours | int | 16 | | 1 to 1000000 | Kernel Tuner | Neighbours of which the best is taken.
local | patience | int | 50 | | 1 to 1000000 | Kernel Tuner | Neighbours without a gain after which the climb restarts near the best end.
local | walk | float | 0.3 | | 0 to 1 | Kernel Tuner | Share of the decisions that a restart draws again.
local | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
random | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
value | model | file | pretrained_stages | | pretrained_stages, a file of train stages | Steiner | The network that values partial schedules. It is trained beforehand; measurements do not change it.
value | width | int | 1 | | 1 to 1024 | Steiner | Partial schedules that are kept after each stage: 1 is greedy. It doubles when a search has nothing left.
value | draws | int | 512 | | 0 to 100000 | ours | Schedules that are drawn; a stage is decided as in one of them, or as in a mutation of the best. 0: knob by knob, without chance, for a network trained with cuts=decisions.
value | retries | int | 1000 | | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
oneshot | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
oneshot | search | choice | genetic | genetic | genetic, annealing | code (One-Shot Tuner) | Search under the model: generations of places, or chains that walk and cool.
oneshot | parents | choice | rank | score | rank, score | ours; code (One-Shot Tuner) | Draw parents by their rank, or in proportion to their score.
oneshot(search=annealing) | chains | int | 512 | 512 | 1 to 1000000 | code (One-Shot Tuner) | Chains that walk side by side.
oneshot(search=annealing) | steps | int | 160 | 160 | 1 to 1000000 | code (One-Shot Tuner) | Steps of a chain.
oneshot(search=annealing) | patience | int | 50 | 50 | 1 to 1000000 | code (One-Shot Tuner) | Steps that find nothing better and end the search.
oneshot | model | spec | pretrained | pretrained | pretrained, analytical, random, FILE | One-Shot Tuner | The model that scores places. It is trained beforehand; measurements do not change it.
oneshot | shots | int | 64 | 64 | 1 to 1000000 | code (One-Shot Tuner) | Proposals of one search, its best; 1 is the published claim.
oneshot | population | int | 256 | 256 | 2 to 1000000 | code (One-Shot Tuner) | Places of a generation.
oneshot | elite | int | 96 | 96 | 0 to 1000000 | code (One-Shot Tuner) | Of the best so far that stay parents.
oneshot | mutation | float | 0.1 | 0.1 | 0 to 1 | code (One-Shot Tuner) | Probability that a decision of a child is drawn anew.
oneshot | generations | int | 120 | 120 | 0 to 1000000 | code (One-Shot Tuner) | Generations of a search.
oneshot | retries | int | 1000 | 1000 | at least 1 | ours | Draws that repeat known schedules before the search of a task ends.
transfer | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as published.
transfer | from | file | | | record stores or files of programs, with ; between several | Transfer-Tuning | Where the donors' best schedules are. Without it the other tasks of the run are the donors.
transfer | donors | choice | class | class | class, network, all | Transfer-Tuning | Donors of the same kind of computation; the same, but of the one file of from whose kinds go best with the run (sum of share times root of count); or all.
transfer | order | choice | shape | shape | shape, speed | ours | Donors nearest in size first, or fastest first.
transfer | refit | choice | nearest | none | nearest, none | ours | nearest: lengths that do not divide a loop stay where the space has tails, else they become the nearest divisors. none: the donor is passed over.
transfer | within | bool | true | false | true or false | ours | The other tasks of the run are donors, too.
transfer | then | spec | ansor | none | any agent, none | ours | The agent that goes on when no donor is left. It learns from what was transferred.
python | module | text | | | a module | | Python module of the agent. The working folder is searched first.
python | class | text | | | a class of it | | Class of the agent. All other options go to its constructor.
process | command | text | | | a shell command | | Program that answers lines of JSON. All other options are sent to it.
)";

const char* const kRefinerOptions = R"(
droplet | mode | choice | fixed | | fixed, metaschedule | MetaSchedule | How it descends: by steps of one knob and of two that the intervals confirm, or as MetaSchedule's post-optimisation: upward steps of one knob over powers of two, without a test, until a round finds nothing faster.
droplet | trials | int | 100 | | at least 1 | DPAnsor | Last trials of the search that refine its best schedule.
droplet | p | float | 0.05 | | 0 to 1 | Droplet | A step is taken where its gain is significant at this level; 1 takes any gain.
)";

const char* const kSpaceOptions = R"(
schedulegym | pack | bool | true | | true or false | ours | Copy inputs into contiguous panels.
schedulegym | layout | bool | true | | true or false | ours | Rewrite weights once, outside of the timed call.
schedulegym | tails | bool | true | | true or false | ours | Allow tile lengths that do not divide the loop.
schedulegym | register_tile | bool | true | | true or false | ours | Tile for the register file.
schedulegym | parity | bool | true | | true or false | ours | Split strided transposed convolutions by the parity of their outputs.
schedulegym | rows | bool | true | | true or false | ours | Compute several rows of a stage together.
schedulegym | partial_sums | bool | true | | true or false | ours | Keep partial sums in vector lanes where results fill no vector.
schedulegym | fuse | bool | true | | true or false | ours | Compute reductions inside the blocks of their consumers.
schedulegym | sensible | float | 0.75 | | 0 to 1 | ours | Probability that a sampled register tile fits the registers.
schedulegym | heuristic | float | 0.05 | | 0 to 1 | ours | Probability that a sampled tiling is the reference heuristic's. 0 searches without this prior.
schedulegym | code | float | 2500 | | at least 100 | ours | Schedules with more operations of unrolled code are refused.
schedulegym | spill | float | 4 | | 0 or more | ours | Schedules that hold more accumulators than this many vectors a register are refused; 0 refuses none.
ansor | inline | bool | true | | true or false | Ansor | Sketch rule: inline elementwise stages.
ansor | cache_read | bool | true | | true or false | Ansor | Sketch rule, on GPUs: read tiles through memory that a block shares.
ansor | rfactor | bool | true | | true or false | Ansor | Sketch rule: factor reductions into partial results.
ansor | cross_thread | bool | true | | true or false | Ansor | Sketch rule, on GPUs: share a long reduction among the threads of a block.
ansor | cache_write | bool | true | | true or false | Ansor | Sketch rule: compute into a local copy first.
ansor | tile_and_fuse | bool | true | | true or false | Ansor | Sketch rule: tile in several levels and fuse into the tiles of the consumer.
ansor | tile | bool | true | | true or false | Ansor | Sketch rule: tile in several levels.
ansor | skip | bool | true | | true or false | Ansor | Sketch rule: leave a stage as it is.
ansor | layout | bool | false | | true or false | Ansor | Store weights in the order in which their tiles are read.
ansor | code | float | 10000 | | at least 100 | ours | Schedules with more operations of unrolled code are refused.
ansor | vector | int | 16 | | 1 to 65536 | Ansor | Longest loop that may become a vector, in elements.
ansor | warps | int | 32 | | 1 to 32 | ours | On GPUs, warps of a block of a stage that is not tiled: 1, 2, 4 and so on up to this many. TVM draws 1.
ansor | spill | float | 4 | | 0 or more | ours | Schedules that hold more accumulators than this many vectors a register are refused; 0 refuses none. Of cuda: whether an estimate of registers refuses any.
)";

}  // namespace schedulegym
