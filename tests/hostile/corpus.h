// Corpus: hostile candidates, and the expected outcome of each.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "env/measure/outcome.h"

namespace schedulegym {

struct HostileCase {
  const char* name;               // of tests/hostile/candidates/NAME.c
  std::vector<Outcome> outcomes;  // any of them
  const char* message = "";       // a part of it
  int threads = 1;                // of the target
  bool is_packed = false;
};

// For GoogleTest's messages.
void PrintTo(const HostileCase& hostile, std::ostream* out);

const std::vector<HostileCase>& HostileCorpus();

// Whether an outcome is one of those.
bool IsExpected(const HostileCase& hostile, Outcome outcome);

}  // namespace schedulegym
