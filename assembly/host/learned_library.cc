#include "assembly/host/learned_library.h"

#include "agents/learned/harl/harl.h"
#include "agents/learned/scorer/scorer_cost_model.h"
#include "agents/learned/scorer/scorer_trainer.h"

extern "C" {

[[gnu::visibility("default")]] extern const schedulegym::LearnedLibrary schedulegym_learned_library;
const schedulegym::LearnedLibrary schedulegym_learned_library = {
    schedulegym::MakeHarlAgent, schedulegym::ReadHarlPolicy, schedulegym::MakeHarlTrainer,
    schedulegym::ReadScorerCostModel, schedulegym::MakeScorerTrainer};

}  // extern "C"
