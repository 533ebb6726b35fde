// Protocol: how long and how carefully a candidate is timed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/base/spec.h"

namespace schedulegym {

struct Protocol {
  int warmup_calls = 3;           // at least, before the first sample
  double warmup_seconds = 0.005;  // at least; a call that takes longer ends the warm-up by itself
  double sample_seconds = 0.001;  // calls are repeated within a sample until it lasts this long
  int min_rounds = 15;            // a round is one sample of each
  int max_rounds = 51;
  double precision = 0.01;     // stop when the interval lies within +-this of the median
  double max_seconds = 1.0;    // stop when this is used up ...
  int long_rounds = 7;         // ... but not before so many rounds
  int reject_rounds = 5;       // clearly slower than the best in all of these: stop; 0: never
  double reject_factor = 1.5;  // what clearly means

  bool operator==(const Protocol&) const = default;
};

// Fixed 101 rounds, nothing rejected: for replays and final results.
Protocol FinalProtocol();

// `paired`, `paired(rounds=101, precision=0.005, ...)`, `final`. Throws InputError.
Protocol MakeProtocol(const Spec& spec);

struct ProtocolEntry {
  std::string name;
  std::string parameters;
  std::string description;
};
std::vector<ProtocolEntry> BuiltinProtocols();

}  // namespace schedulegym
