// ModelOutput: the file in which `tune` leaves what the cost models of its agents have learned.
#pragma once

#include <span>
#include <string>

#include "agents/tuner.h"
#include "experiments/cli/output_file.h"
#include "experiments/cli/report.h"

namespace schedulegym {

class ModelOutput {
 public:
  // Refuses agents that train no model and places that cannot be written to, before any work; the
  // space serves to find out which agents train one. The agents outlive it. Throws InputError.
  ModelOutput(const std::string& path, std::span<const TunerTask> tasks, const std::string& agent,
              const SearchSpace& space);

  // One model, trained on what those of all tasks have learned from; none, with a warning, where
  // they have learned nothing.
  void Save(Report& report);

 private:
  std::span<const TunerTask> tasks_;
  OutputFile file_;
};

}  // namespace schedulegym
