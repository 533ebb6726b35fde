// SketchRule: one way to go on with a sketch in the making, at one stage.
#pragma once

#include <string>
#include <vector>

#include "env/program/analysis.h"
#include "env/schedule/state.h"

namespace schedulegym {

// A sketch in the making.
struct Derivation {
  ScheduleState state;
  // In state.order(): the stage that the next rule looks at; the last stage comes first, and below
  // zero the sketch is done.
  int position = 0;
  std::vector<int> open_steps;     // splits of the trace whose lengths, all 1, are open
  std::vector<std::string> rules;  // applied so far, such as "C: cache_write"

  int stage() const { return state.order()[position]; }
};

// What rules know of the computation.
struct SketchFacts {
  explicit SketchFacts(const Task& asked) : task(asked), analysis(Analyze(asked.dag)) {}

  const Task& task;
  DagAnalysis analysis;
};

// Of a rule at a stage: not at all; one of several ways; the only way, so that the rules after it
// are not asked.
enum class RuleFit { kNo, kApplies, kDecides };

struct SketchRule {
  std::string name;
  std::string help;
  RuleFit (*fit)(const SketchFacts& facts, const Derivation& now);
  // Only where it fits. What it leads to, each with its position moved on.
  std::vector<Derivation> (*apply)(const SketchFacts& facts, const Derivation& now);
};

}  // namespace schedulegym
