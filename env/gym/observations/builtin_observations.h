// The observations that come with the project, one maker each.
#pragma once

#include <functional>
#include <memory>

#include "env/base/registry.h"
#include "env/base/spec.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// Throws InputError for a bad option, and for text, which is no numbers: only a place itself can
// give it.
using ObservationMaker = std::function<std::unique_ptr<Observation>(const Spec&)>;
Registry<ObservationMaker> BuiltinObservations();

// Throws InputError for an unknown name, too.
std::unique_ptr<Observation> MakeObservation(const Spec& spec);

// AnsorFeatures as they are, clipped to the bounds, which no real schedule reaches: `rows` rows (16
// by default; 1 to 64) of a mask and the 164 numbers, in the features' order. Where there are more
// statements the last ones are kept, the outputs among them; rows without a statement are 0.
// `pooled`: instead of rows, how many there are, then the greatest and the mean of each number.
// A logarithm's maximum is the dearest statement, which a sum of logarithms would bury. Throws
// InputError.
std::unique_ptr<Observation> MakeAnsorObservation(const Spec& spec);

// Four numbers about the episode, then a mask and a number for each of the last `length` actions
// (16 by default; 1 to 1024), the newest first. Asks for no schedule. Throws InputError.
std::unique_ptr<Observation> MakeHistoryObservation(const Spec& spec);

// The share of the episode that is used, then a mask and a value for each of `most` knobs (48 by
// default; 1 to 1024), the first ones where there are more; all 0 where a walk has none. Asks for
// no schedule, so that it tells of foreign kernels too. Throws InputError.
std::unique_ptr<Observation> MakeKnobsObservation(const Spec& spec);

// Four numbers about the episode, then `rows` rows (40 by default; 1 to 256) of kLoopNumbers each:
// the loops of the last stage from the outside, then those of the stage before it, and so on; rows
// that no loop is left for are 0. Throws InputError.
inline constexpr int kLoopNumbers = 16;
std::unique_ptr<Observation> MakeLoopsObservation(const Spec& spec);

// The target's facts, then those of the computation as a whole, then `definitions` rows (8 by
// default; 1 to 64): the definitions from the last towards the inputs; rows that no definition is
// left for are 0. The same at every place of a task's episodes. Throws InputError.
std::unique_ptr<Observation> MakeTaskObservation(const Spec& spec);

// Three numbers about the trace, then `length` rows (48 by default; 1 to 512): a mask, one number
// for each kind of primitive, 1 for its own, and `fields` numbers (20 by default; 1 to 64) of the
// primitive's fields in order, as far as they go. Of a longer trace the last primitives are kept;
// the oldest comes first. A new kind of primitive makes the rows longer by one. After TLP (Zhai et
// al., ASPLOS 2023), whose numbers are not scaled. Throws InputError.
std::unique_ptr<Observation> MakeTokensObservation(const Spec& spec);

}  // namespace schedulegym
