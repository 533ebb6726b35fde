// Protocol: number of samples, precision and stopping rules for timing a candidate.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "env/base/registry.h"
#include "env/base/spec.h"

namespace schedulegym {

// Order of the samples in a round.
enum class RoundOrder : uint8_t {
  kSquare,  // a cyclic Latin square from a random start, and its mirror, in turn: ABBA BAAB for two
  kRandom,  // drawn anew for every round
};

// Statistic and test behind the interval of a ratio.
enum class IntervalRule : uint8_t {
  kSign,  // published: the median of the rounds and the sign test, which assumes nothing
  kRank,  // the median of the averages of any two rounds and the signed-rank test: noise that hits
          // both alike is symmetric, and then fewer rounds suffice
};

// Rule by which the timing of a candidate is precise enough.
enum class SettleRule : uint8_t {
  kInterval,   // its interval is narrow: precision, settled_rounds, min_rounds
  kVariation,  // AdaTune's (Li et al., NeurIPS 2020): the coefficient of variation of its samples
               // is below `variation` after `variation_rounds` or more
};

// Rule by which a candidate that is clearly slower than the best is rejected early.
enum class RejectRule : uint8_t {
  kPublished,  // once, after reject_rounds: if each of them is slower by reject_factor
  kGraded,     // from the second round on, with a larger factor the fewer the rounds; and after
               // beaten_rounds a candidate that is hardly better than the best is timed no further,
               // though not rejected
};

// Rule by which a control measurement makes the measurements since the last good one suspect.
enum class ControlRule : uint8_t {
  kPublished,  // its interval excludes 1, or its median is off by more than the tolerance
  kTolerant,   // the interval must exclude 1 by half of the tolerance
};

// The protocol CPU-1. "key" is a member's name in the spec, if it differs.
struct Protocol {
  int warmup_calls = 3;           // at least, the first call included; long calls need two
  double warmup_seconds = 0.005;  // at least, without the first call; longer calls are "long"
  double sample_seconds = 0.001;  // key sample: calls are repeated in a sample up to this
  int max_rounds = 51;            // key rounds: a round is one sample of each
  int best_rounds = 101;          // of the likely best so far, while its interval is wide
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
  int reject_rounds = 5;         // 0: never
  double reject_factor = 1.5;    // factor of "clearly slower"
  int beaten_rounds = 10;        // enough, by the graded rule, if hardly better than the best
  double beaten_margin = 0.005;  // margin of "hardly better"
  int final_rounds = 101;        // of a finalist, in each process
  int final_long_rounds = 15;
  double final_seconds = 5.0;
  int final_processes = 3;  // new processes: each has another address layout
  ControlRule control = ControlRule::kTolerant;
  int control_candidates = 50;  // a control measurement is due after so many candidates; 0: never
  double control_seconds = 60;  // ... or after this time
  double control_tolerance = 0.02;
  double control_drift = 0.03;  // absolute seconds are calibrated again if they moved by more
  bool flush_to_zero = true;    // subnormal numbers are 0 in the kernel and in its reference

  bool operator==(const Protocol&) const = default;
};

// Returns the protocol for a finalist: its number of rounds is fixed, and it is never rejected.
Protocol FinalProtocol(const Protocol& protocol = Protocol());

// Returns the protocol for training data: at most 15 rounds; candidates are still verified.
Protocol CollectProtocol();

// `cpu1`, `cpu1(rounds=101, precision=0.005, ...)`; `paired` is its older name; `final` has the
// defaults of a finalist, `collect` those of CollectProtocol. Throws InputError.
Protocol MakeProtocol(const Spec& spec);

// Returns a line for each old name in `spec`, with the new name.
std::vector<std::string> OldNamesOfProtocol(const Spec& spec);

// Returns `cpu1(...)` with every parameter; MakeProtocol returns an equal protocol from it.
std::string ProtocolText(const Protocol& protocol);

using ProtocolMaker = std::function<Protocol(const Spec&)>;
Registry<ProtocolMaker> BuiltinProtocols();

}  // namespace schedulegym
