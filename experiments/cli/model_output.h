// ModelOutput: the file in which `tune` leaves what its agent has learned.
#pragma once

#include <cstdint>
#include <string>

#include "agents/agent.h"
#include "env/base/output_file.h"
#include "experiments/cli/report.h"

namespace schedulegym {

class ModelOutput {
 public:
  // Refuses an agent that learns nothing and a place that cannot be written to, before any work;
  // `name` is the agent's, the space serves to find out which agents would. The agent outlives it.
  // Throws InputError.
  ModelOutput(const std::string& path, Agent& agent, const std::string& name,
              const SearchSpace& space);

  // What it has learned, from so many schedules; nothing, with a warning, where that is nothing.
  void Save(Report& report, int64_t schedules);

 private:
  Memory& memory_;
  OutputFile file_;
};

}  // namespace schedulegym
