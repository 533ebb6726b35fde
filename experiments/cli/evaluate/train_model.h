// Train model: the command `train MODEL --data FILE`, a cost model of programs measured before.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/session.h"

namespace schedulegym {

struct ModelTraining {
  std::string model;              // spec
  std::vector<std::string> data;  // as ReadProgramData takes it
  std::string split = "train";
  std::string space;  // "" for all
  std::string file;   // where the model is left
  // Of networks.
  std::string from;                                          // a file to go on from, "" for none
  double seconds = std::numeric_limits<double>::infinity();  // at most
};

// Trees at once, networks as TrainNetwork does. The exit code. Throws InputError, also where a task
// that is trained on is near one of a test split.
int TrainModel(Session& session, const ModelTraining& training, const InterruptScope& interrupt);

}  // namespace schedulegym
