// The observations that come with the project, one maker each.
#pragma once

#include <functional>
#include <memory>

#include "env/base/registry.h"
#include "env/base/spec.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// Throws InputError for a bad option, and for `text`, which has no numbers: only an episode's state
// can return it.
using ObservationMaker = std::function<std::unique_ptr<Observation>(const Spec&)>;
Registry<ObservationMaker> BuiltinObservations();

// Also throws InputError for an unknown name.
std::unique_ptr<Observation> MakeObservation(const Spec& spec);

// AnsorFeatures, clipped to the bounds, which no real schedule reaches: `rows` rows (16 by default;
// 1 to 64) of a mask and the 164 numbers, in the features' order. If there are more statements, the
// last ones are kept, which include the outputs; rows without a statement are 0. `pooled`: instead
// of rows, the number of rows, then the maximum and the mean of each number. The maximum of a
// logarithm is the most expensive statement, which a sum of logarithms would hide. Throws
// InputError.
std::unique_ptr<Observation> MakeAnsorObservation(const Spec& spec);

// Four numbers about the episode, then a mask and a number for each of the last `length` actions
// (16 by default; 1 to 1024), newest first. Builds no schedule. Throws InputError.
std::unique_ptr<Observation> MakeHistoryObservation(const Spec& spec);

// The used share of the episode, then a mask and a value for each of `most` knobs (48 by default; 1
// to 1024). Keeps the first knobs if there are more; all 0 for episodes without knobs. Builds no
// schedule, and so supports other tuners' kernels, too. Throws InputError.
std::unique_ptr<Observation> MakeKnobsObservation(const Spec& spec);

// Four numbers about the episode, then `rows` rows (40 by default; 1 to 256) of kLoopNumbers each:
// the loops of the last stage from the outside, then those of the stage before it, and so on. Rows
// without a loop are 0. Throws InputError.
inline constexpr int kLoopNumbers = 16;
std::unique_ptr<Observation> MakeLoopsObservation(const Spec& spec);

// The target's facts, then those of the computation as a whole, then `definitions` rows (8 by
// default; 1 to 64): the definitions from the last towards the inputs. Rows without a definition
// are 0. The same in every state of a task's episodes. Throws InputError.
std::unique_ptr<Observation> MakeTaskObservation(const Spec& spec);

// Three numbers about the trace, then `length` rows (48 by default; 1 to 512): a mask, one number
// for each kind of primitive (1 for the row's own), and the first `fields` numbers (20 by default;
// 1 to 64) of the primitive's fields, in order. A longer trace keeps its last primitives; the
// oldest comes first. A new kind of primitive makes the rows longer by one. After TLP (Zhai et al.,
// ASPLOS 2023), whose numbers are not scaled. Throws InputError.
std::unique_ptr<Observation> MakeTokensObservation(const Spec& spec);

}  // namespace schedulegym
