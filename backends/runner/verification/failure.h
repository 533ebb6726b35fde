// Failure: why a kernel is not to be timed or trusted.
#pragma once

#include <string>

#include "env/measure/outcome.h"

namespace schedulegym {

struct Failure {
  Outcome outcome = Outcome::kWrongOutput;
  std::string message;
};

}  // namespace schedulegym
