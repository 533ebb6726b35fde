// SketchRule: one way to extend a partial sketch at one stage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/program/analysis.h"
#include "env/schedule/state.h"

namespace schedulegym {

// A partial sketch.
struct Derivation {
  ScheduleState state;
  // Position in state.order() of the stage for the next rule. Counts down from the last stage;
  // below zero the sketch is complete.
  int position = 0;
  std::vector<int> open_steps;     // splits of the trace whose lengths, all 1, are open
  std::vector<std::string> rules;  // rules applied so far, such as "C: cache_write"

  int stage() const { return state.order()[position]; }
};

// The facts about the computation that rules use.
struct SketchFacts {
  explicit SketchFacts(const Task& asked) : task(asked), analysis(Analyze(asked.dag)) {}

  const Task& task;
  DagAnalysis analysis;
};

// Whether a rule fits a stage: no; it applies, and later rules may, too; it decides, so that later
// rules are skipped.
enum class RuleFit { kNo, kApplies, kDecides };

struct SketchRule {
  std::string name;
  std::string help;
  RuleFit (*fit)(const SketchFacts& facts, const Derivation& now);
  // Requires that the rule fits. Returns the extended sketches, each at its next position.
  std::vector<Derivation> (*apply)(const SketchFacts& facts, const Derivation& now);
};

// The position in the DAG of the definition that the stage computes completely: its own, or as its
// write cache. nullopt for inputs, copies, and both stages of an rfactor.
std::optional<int> DefinitionOf(const ScheduleState& state, int stage);

// True if the stage reads its inputs often enough for multi-level tiling (Ansor's condition: at
// least two of its inputs, or one for a reduction, are not indexed by some spatial axis). A stage
// of Ansor is one operation: if a definition adds several vectors to a whole tensor, each such
// operation reads only one of the vectors.
bool NeedsMultiLevelTiling(const SketchFacts& facts, const ScheduleState& state, int stage);

// True if the stage computes in place of another stage, which copies it.
bool IsWriteCache(const ScheduleState& state, int stage);

// Products of the spatial and of the reduction axes.
struct Lengths {
  double spatial = 1;
  double reduction = 1;
};
Lengths LengthsOf(const ScheduleState& state, int stage);

}  // namespace schedulegym
