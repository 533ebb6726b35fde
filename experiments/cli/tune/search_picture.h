// SearchPicture: the file of `tune --picture`.
#pragma once

#include <span>
#include <string>

#include "agents/schedulers/simulation/simulation.h"
#include "env/base/output_file.h"
#include "env/base/stop_token.h"
#include "experiments/cli/tune/curve_output.h"

namespace schedulegym {

class SearchPicture {
 public:
  // Throws InputError where nothing can be written.
  explicit SearchPicture(const std::string& path) : file_(path) {}

  // Of a search, and how the latency of all came down; without extrapolations once `stop` is set,
  // for nobody waits for fits then.
  void Save(const FinishedSearch& search, std::span<const CoursePoint> course,
            const StopToken& stop, Report& report);

 private:
  OutputFile file_;
};

}  // namespace schedulegym
