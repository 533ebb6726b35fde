#include "spaces/ansor/derive.h"

#include <utility>

#include "env/base/check.h"
#include "env/schedule/loop_tree.h"
#include "env/search/factorization.h"
#include "spaces/ansor/open_annotations.h"
#include "spaces/ansor/stage_facts.h"

namespace schedulegym {
namespace {

void Step(const SketchFacts& facts, const std::vector<SketchRule>& rules, const Derivation& now,
          std::vector<Derivation>& next) {
  for (const SketchRule& rule : rules) {
    const RuleFit fit = rule.fit(facts, now);
    if (fit == RuleFit::kNo) continue;
    const std::string name = now.state.stage(now.stage()).op->name + ": " + rule.name;
    for (Derivation& made : rule.apply(facts, now)) {
      made.rules.push_back(name);
      next.push_back(std::move(made));
    }
    if (fit == RuleFit::kDecides) return;
  }
}

// Extents of what is split do not depend on the lengths that are open: rules split axes, and
// fusions of axes.
OpenSketch Finish(const SketchFacts& facts, const Derivation& done, int64_t most_vector) {
  OpenSketch sketch{done.state, {}, OpenAnnotationsOf(facts, done.state, most_vector),
                    done.rules, {}, most_vector};
  for (int id = 0; id < done.state.size(); ++id) {
    sketch.needs_tiles.push_back(NeedsMultiLevelTiling(facts, done.state, id));
  }
  ScheduleState state = ScheduleState::Initial(done.state.shared_task());
  for (int step = 0; step < done.state.trace_size(); ++step) {
    const Primitive& primitive = done.state.step(step);
    for (int open : done.open_steps) {
      if (open != step) continue;
      const auto& split = std::get<Split>(primitive);
      const Stage& stage = state.stage(split.stage.id);
      const int64_t extent = stage.nodes[stage.loops[split.loop].node].extent;
      sketch.splits.push_back(
          {step, extent, Factorizations(extent, static_cast<int>(split.lengths.size()))});
    }
    Result<ScheduleState> next = Apply(state, primitive);
    SG_CHECK(next.ok(), "a trace replays");
    state = *std::move(next);
  }
  return sketch;
}

}  // namespace

std::vector<OpenSketch> DeriveSketches(const std::shared_ptr<const Task>& task,
                                       const std::vector<SketchRule>& rules, int64_t most_vector) {
  const SketchFacts facts(*task);
  const ScheduleState initial = ScheduleState::Initial(task);
  std::vector<Derivation> now = {{initial, static_cast<int>(initial.order().size()) - 1, {}, {}}};
  std::vector<OpenSketch> sketches;
  while (!now.empty()) {
    std::vector<Derivation> next;
    for (const Derivation& derivation : now) {
      if (derivation.position < 0) {
        sketches.push_back(Finish(facts, derivation, most_vector));
      } else {
        Step(facts, rules, derivation, next);
      }
    }
    now = std::move(next);
  }
  return sketches;
}

}  // namespace schedulegym
