#include "assembly/host/learned_library.h"

#include "agents/learned/harl/harl.h"

extern "C" {

[[gnu::visibility("default")]] extern const schedulegym::LearnedLibrary schedulegym_learned_library;
const schedulegym::LearnedLibrary schedulegym_learned_library = {
    schedulegym::MakeHarlAgent, schedulegym::ReadHarlPolicy, schedulegym::MakeHarlTrainer};

}  // extern "C"
