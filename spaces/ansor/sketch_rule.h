// SketchRule: one way to go on with a sketch in the making, at one stage.
#pragma once

#include <cstdint>
#include <optional>
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

// The definition, by position in the DAG, whose whole computation the stage does: its own, or as
// the cache that was put before it. None for inputs, copies, and what a rfactor made or left.
std::optional<int> DefinitionOf(const ScheduleState& state, int stage);

// Reads its inputs often enough for tiles in several levels to pay (Ansor's condition: of the
// tensors read at least two, or one if it reduces, are not indexed by some spatial axis). Ansor
// sees one operation in each stage: of a whole tensor, to which several vectors are added in one
// definition, each operation reads but one of these.
bool NeedsMultiLevelTiling(const SketchFacts& facts, const ScheduleState& state, int stage);

// Takes over the computation of another stage, which copies it.
bool IsWriteCache(const ScheduleState& state, int stage);

// Products of the spatial and of the reduction axes.
struct Lengths {
  double spatial = 1;
  double reduction = 1;
};
Lengths LengthsOf(const ScheduleState& state, int stage);

}  // namespace schedulegym
