// ModelOutput: the file in which `tune` leaves what its agent and its task scheduler have learned.
#pragma once

#include <cstdint>
#include <string>

#include "env/base/memory.h"
#include "env/base/output_file.h"
#include "env/search/search_space.h"
#include "experiments/cli/report.h"

namespace schedulegym {

// Null where it learns nothing.
struct Learners {
  Memory* agent = nullptr;
  Memory* scheduler = nullptr;
};

class ModelOutput {
 public:
  // Refuses a search in which nobody learns and a place that cannot be written to, before any work;
  // `name` is the agent's, the space serves to find out which agents would. The learners outlive
  // it. Throws InputError.
  ModelOutput(const std::string& path, const Learners& learners, const std::string& name,
              const SearchSpace& space);

  // What was learned, from so many schedules: of one its memory, of both the parts of a `search 1`;
  // nothing, with a warning, where that is nothing.
  void Save(Report& report, int64_t schedules);

 private:
  Learners learners_;
  OutputFile file_;
};

}  // namespace schedulegym
