// Protocol: how long and how carefully a candidate is timed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "env/base/registry.h"
#include "env/base/spec.h"

namespace schedulegym {

// In what order a round takes its samples.
enum class RoundOrder : uint8_t {
  kSquare,  // by a randomly begun cyclic Latin square and its mirror in turn: ABBA BAAB for two
  kRandom,  // drawn anew for every round
};

// What the interval of a ratio stands on.
enum class IntervalRule : uint8_t {
  kSign,  // published: the median of the rounds and the sign test, which assumes nothing
  kRank,  // the median of the averages of any two rounds and the signed-rank test: noise that hits
          // both alike is symmetric, and then fewer rounds tell as much
};

// When a candidate is timed well enough.
enum class SettleRule : uint8_t {
  kInterval,   // its interval is narrow: precision, settled_rounds, min_rounds
  kVariation,  // AdaTune's (Li et al., NeurIPS 2020): the coefficient of variation of its samples
               // is below `variation` after `variation_rounds` or more
};

// When a candidate that is clearly slower than the best is given up.
enum class RejectRule : uint8_t {
  kPublished,  // once, after reject_rounds: when all of them say so by reject_factor
  kGraded,     // from the second round on: the fewer the rounds, the clearer it must be; and after
               // beaten_rounds what is hardly better than the best is timed no further, though not
               // given up
};

// When a reference that differs from itself condemns what was measured since the last good one.
enum class ControlRule : uint8_t {
  kPublished,  // its interval excludes 1, or its median is off by more than the tolerance
  kTolerant,   // the interval must exclude 1 by half of the tolerance
};

// The protocol CPU-1. Key is what a member is called in the spec, where that differs.
struct Protocol {
  int warmup_calls = 3;           // at least, the first call included; long calls need two
  double warmup_seconds = 0.005;  // at least, without the first call; a call is long from here on
  double sample_seconds = 0.001;  // key sample: calls are repeated in a sample up to this
  int max_rounds = 51;            // key rounds: a round is one sample of each
  int best_rounds = 101;          // of what looks best so far, while its interval is wide
  int min_rounds = 15;
  int long_rounds = 7;      // enough once max_seconds are used up
  double precision = 0.01;  // stop when the interval lies within this of the median ...
  int settled_rounds = 2;   // ... for so many rounds in a row
  SettleRule settle = SettleRule::kInterval;
  double variation = 0.1;    // key cv (AdaTune, tvm/autotvm/measure_methods.py)
  int variation_rounds = 3;  // key cv_rounds
  IntervalRule interval = IntervalRule::kRank;
  double max_seconds = 1.0;  // key seconds: of samples
  RoundOrder order = RoundOrder::kRandom;
  RejectRule reject = RejectRule::kGraded;
  int reject_rounds = 5;       // 0: never
  double reject_factor = 1.5;  // what clearly slower means
  int beaten_rounds = 10;      // enough, by the graded rule, of what is hardly better than the best
  double beaten_margin = 0.005;  // what hardly means
  int final_rounds = 101;        // of a finalist, in each process
  int final_long_rounds = 15;
  double final_seconds = 5.0;
  int final_processes = 3;  // fresh ones: each has another layout of its addresses
  ControlRule control = ControlRule::kTolerant;
  int control_candidates = 50;  // a control measurement is due after so many candidates; 0: never
  double control_seconds = 60;  // ... or after this time
  double control_tolerance = 0.02;
  double control_drift = 0.03;  // absolute seconds are calibrated again when they moved by more
  bool flush_to_zero = true;    // subnormal numbers are 0 in the kernel and in its reference

  bool operator==(const Protocol&) const = default;
};

// The same for a finalist: its number of rounds is fixed, and it is never rejected.
Protocol FinalProtocol(const Protocol& protocol = Protocol());

// For data to learn from: at most 15 rounds; candidates are verified all the same.
Protocol CollectProtocol();

// `cpu1`, `cpu1(rounds=101, precision=0.005, ...)`; `paired` is its older name; `final` has the
// defaults of a finalist, `collect` those of CollectProtocol. Throws InputError.
Protocol MakeProtocol(const Spec& spec);

// What it calls by an old name, a line each that has the new one.
std::vector<std::string> OldNamesOfProtocol(const Spec& spec);

// `cpu1(...)` with every parameter written out; MakeProtocol gives an equal protocol back.
std::string ProtocolText(const Protocol& protocol);

using ProtocolMaker = std::function<Protocol(const Spec&)>;
Registry<ProtocolMaker> BuiltinProtocols();

}  // namespace schedulegym
