#include "assembly/options/option_rows.h"

namespace schedulegym {

const char* const kHarlOptions = R"(
harl | mode | choice | improved | faithful | improved, faithful | | Defaults of the other options: tuned here, or as recalled of the paper.
harl | sketch | choice | bandit | bandit | bandit, uniform | recalled | How the sketches of a round are chosen: by a bandit, or at random.
harl | window | int | 256 | 256 | 1 to 1000000 | recalled | Pulls of all sketches that the bandit remembers.
harl | exploration | float | 0.25 | 0.25 | 0.0 to 100.0 | recalled | Weight of the bandit's exploration term.
harl | spread | int | 4 | 1 | 1 to 1000 | ours; recalled | Sketches of a round. More than one needs policy=shared.
harl | stop | bool | true | true | true or false | recalled | Stop unpromising tracks early; false: all tracks have one length.
harl | visits | int | 8960 | 8960 | 1 to 10000000 | ours | Schedules that a round visits.
harl | stop_every | int | 20 | 20 | 1 to 100000 | recalled | Steps between two selections of tracks.
harl | stop_share | float | 0.5 | 0.5 | 0.001 to 0.999 | recalled | Share of tracks that each selection stops.
harl | stop_least | int | 64 | 64 | 1 to 100000 | recalled | Tracks that always remain.
harl | tracks | int | 140 | 140 | 1 to 100000 | ours | Tracks with stop=false.
harl | measured | float | 0.2 | 0.2 | 0.0 to 1.0 | code (Ansor) | Share of tracks that start at the best measured schedules.
harl | distinct | bool | true | false | true or false | ours | At each selection keep one track of those at the same schedule; needs stop=true.
harl | reward | choice | logarithm | relative | logarithm, relative | ours; recalled | Gain of a step: difference of logarithms, or relative to the schedule before it.
harl | moves | choice | policy | policy | policy, uniform | recalled | Moves come from the actor, or uniformly from the legal ones.
harl | primes | choice | any | smallest | any, smallest | ours; recalled | Prime factors that may move between levels of a tile.
harl | policy | choice | shared | sketch | shared, sketch, FILE | ours | One network for the search, one for each task and sketch, or a file to start from.
harl | discount | float | 0.9 | 0.9 | 0.0 to 1.0 | recalled | Discount of a reward one step later.
harl | lambda | float | 0 | 0 | 0.0 to 1.0 | recalled | Lambda of generalised advantages; 0: one-step advantages.
harl | interval | int | 2 | 2 | 1 to 100000 | recalled | Steps between two updates by PPO.
harl | hidden | int | 128 | 128 | 1 to 4096 | ours | Units of each of two hidden layers.
harl | actor_rate | float | 0.0003 | 0.0003 | 1e-08 to 1.0 | recalled | Learning rate of the actor.
harl | critic_rate | float | 0.001 | 0.001 | 1e-08 to 1.0 | recalled | Learning rate of the critic.
harl | value_weight | float | 0.5 | 0.5 | 0.0 to 100.0 | recalled | Weight of the critic's loss.
harl | entropy_weight | float | 0.01 | 0.01 | 0.0 to 100.0 | recalled | Weight of the entropy bonus.
harl | clip | float | 0.2 | 0.2 | 0.001 to 0.999 | paper (PPO) | Clipping range of the probability ratio.
harl | epochs | int | 1 | 3 | 1 to 1000 | ours; code (Chameleon) | Epochs of an update.
harl | batch | int | 256 | 256 | 1 to 1000000 | ours | Largest minibatch, in rows.
harl | normalised | bool | true | false | true or false | ours | Normalise the advantages of an update to mean 0 and variance 1.
harl | longest_gradient | float | 0.5 | 0 | 0.0 to 1000.0 | code (MLIR-RL); none recalled | Gradients are clipped to this norm; 0: never.
harl | round | int | 64 | 64 | 1 to 100000 | code (Ansor) | Trials of a round.
harl | epsilon | float | 0.05 | 0.05 | 0.0 to 1.0 | code (Ansor) | Share of a round that is drawn from the visited schedules at random.
harl | local | float | 0.2 | 0 | 0.0 to 1.0 | ours | Share of a round that are neighbours of the best measured schedules.
harl | rerank | bool | true | false | true or false | ours | Rank the rest of a round again when the cost model has learned.
harl | model | choice | boosted | boosted | boosted, analytical, pretrained, FILE | code (Ansor) | Cost model: boosted trees, the analytical model, or what scores until trees of 101 schedules do: a model of `list models`, or the file of trees or of a network.
harl | estimate_first | bool | true | false | true or false | ours | Before the trees are used: rank by the analytical model (true), or draw at random (false).
harl | features | choice | estimated | ansor | estimated, ansor | ours; code (Ansor) | Inputs of the trees: Ansor's features with or without the analytical model's estimate.
harl | trees | choice | quick | published | quick, published | ours; code (Ansor) | Few shallow trees fitted now and then, or Ansor's fitted after every measurement.
harl | trusted | int | 48 | 100 | 0 to 1000000 | ours; code (Ansor) | The trees are used once more measurements than this exist.
harl | draw_all | bool | true | false | true or false | ours | Draw from all sketches, or from the bandit's; needs estimate_first=false.
harl | end_draws | bool | true | false | true or false | ours | End a round of random draws once the trees are used; needs estimate_first=false.
harl | checkpoint | output | | | a path | ours | Checkpoint file: written during the search, resumed from when it exists.
harl | checkpoint_every | int | 1 | 1 | 1 to 100000 | ours | Rounds between two checkpoints.
)";

}  // namespace schedulegym
