#include "assembly/host/learned_library.h"

#include "agents/learned/harl/harl.h"
#include "agents/learned/scorer/scorer_cost_model.h"
#include "agents/learned/stages/scorer_trainer.h"
#include "agents/learned/stages/stages_cost_model.h"
#include "agents/learned/tuners/chameleon.h"
#include "agents/learned/tuners/na2c.h"
#include "agents/learned/tuners/q_directions.h"
#include "agents/learned/tuners/value.h"

namespace schedulegym {
namespace {

constexpr LearnedMaker kMakers[] = {{"chameleon", MakeChameleonAgent},
                                    {"harl", MakeHarlAgent},
                                    {"na2c", MakeNa2cAgent},
                                    {"value", MakeValueAgent}};

}  // namespace
}  // namespace schedulegym

extern "C" {

[[gnu::visibility("default")]] extern const schedulegym::LearnedLibrary schedulegym_learned_library;
const schedulegym::LearnedLibrary schedulegym_learned_library = {
    schedulegym::kMakers,
    schedulegym::ReadHarlPolicy,
    schedulegym::MakeHarlTrainer,
    schedulegym::ReadScorerCostModel,
    schedulegym::ReadAnyScorerCostModel,
    schedulegym::MakeScorerTrainer,
    schedulegym::MakeQDirections};

}  // extern "C"
