// LearnedOutput: the file in which a search leaves what its agent and its task scheduler have
// learned.
#pragma once

#include <string>
#include <vector>

#include "agents/tuner/tuner.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Who may learn in a search; null where it learns nothing.
struct Learners {
  ModelState* agent = nullptr;
  ModelState* scheduler = nullptr;
  std::string name;          // the agent's
  const SearchSpace& space;  // serves to find out which agents would
};

// What became of it, for a user.
struct SavedLearning {
  bool is_written = false;
  std::string text;
};

class LearnedOutput {
 public:
  // Refuses a search in which nobody learns and a place that cannot be written to, before any work;
  // `option` is what asked for it, as messages name it. The learners outlive it. Throws InputError.
  LearnedOutput(const std::string& option, const std::string& path, const Learners& learners);

  // What was learned in the search that ended so: of one learner its memory, of both the parts of a
  // `search 1`; no file where that is nothing.
  SavedLearning Save(const std::vector<DoneEvent>& done);

 private:
  Learners learners_;
  OutputFile file_;
};

}  // namespace schedulegym
