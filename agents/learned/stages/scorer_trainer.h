// Scorer trainer: trains a scorer on files of programs, slice by slice.
#pragma once

#include <memory>

#include "agents/model_trainer.h"

namespace schedulegym {

// Reads the files. Throws InputError for files that cannot be read or learned from, and for a file
// to resume that is of another training.
std::unique_ptr<ModelTrainer> MakeScorerTrainer(const ModelTrainingRequest& request);

}  // namespace schedulegym
