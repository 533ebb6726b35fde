#include "spaces/schedulegym/structure.h"

#include <algorithm>

#include "spaces/roles.h"
#include "spaces/schedulegym/heuristic_advice.h"
#include "spaces/schedulegym/tiles/best_tiles.h"
#include "spaces/schedulegym/tiles/heuristic_tile.h"

namespace schedulegym {
namespace {

// Answers all that is no structure with the least that is legal, and what is by a list of choices;
// notes what it was asked.
class StructureAdvice : public Advice {
 public:
  StructureAdvice(const Rules& rules, BestTiles& best, std::vector<int> chosen)
      : rules_(rules), best_(best), chosen_(std::move(chosen)) {}

  bool Inline(const ScheduleState& state, int stage) override {
    bool inlined = heuristic_.Inline(state, stage);
    if (IsCopy(*state.stage(stage).effective)) {
      const bool other = Choose(2) == 1;
      inlined = inlined != other;
      Note(state, stage, inlined ? "inline" : "keep");
    }
    found_.inlined[stage] = inlined;
    return inlined;
  }

  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override {
    TilePlan plan;
    plan.levels.resize(facts.dimensions.size());
    plan.reductions = facts.Reductions();
    plan.outer = facts.Spatial();
    plan.tile.size.assign(facts.dimensions.size(), 1);
    if (found_.nests.count(facts.stage) > 0) return plan;
    found_.nests.emplace(facts.stage, facts);
    found_.vectors[facts.stage] = best_.Of(state, facts).vector;
    ChoosePacks(state, facts, plan);
    return plan;
  }

  MapPlan Map(const ScheduleState&, int stage) override {
    if (std::count(found_.maps.begin(), found_.maps.end(), stage) == 0) {
      found_.maps.push_back(stage);
    }
    return {.vector = 1, .parallel = false};
  }

  bool FuseConsumer(const ScheduleState& state, int stage) override {
    const bool fused = rules_.fuse && Choose(2) == 0;
    if (fused) Note(state, stage, "fuse");
    found_.fused[stage] = fused;
    return fused;
  }

  int64_t Lanes(const ScheduleState& state, int stage, int64_t extent) override {
    const int64_t lanes = heuristic_.Lanes(state, stage, extent);
    const bool keeps = lanes > 1 && Choose(2) == 0;
    if (keeps) Note(state, stage, "partial_sums");
    found_.lanes[stage] = keeps ? lanes : 1;
    return found_.lanes[stage];
  }

  int Depth(const ScheduleState&, int stage, int most) override {
    found_.depths[stage] = most;
    return 0;
  }

  const Structure& found() const { return found_; }
  // The next list of choices, as a counter runs; empty after the last.
  std::vector<int> Next() const {
    std::vector<int> next = chosen_;
    next.resize(counts_.size());
    for (size_t i = next.size(); i-- > 0;) {
      if (++next[i] < counts_[i]) return {next.begin(), next.begin() + static_cast<long>(i) + 1};
    }
    return {};
  }

 private:
  int Choose(int count) {
    const size_t question = counts_.size();
    counts_.push_back(count);
    return question < chosen_.size() ? chosen_[question] : 0;
  }

  void Note(const ScheduleState& state, int stage, const std::string& what) {
    found_.rules.push_back(state.stage(stage).op->name + ": " + what);
  }

  // Weights and what vectors need are packed first, in the second place nothing is.
  void ChoosePacks(const ScheduleState& state, const NestFacts& facts, TilePlan plan) {
    std::fill(plan.tile.size.begin(), plan.tile.size.end(), 2);
    plan.tile.vector = found_.vectors[facts.stage];
    for (const PackChoice& choice : PackChoices(state, facts, plan, rules_)) {
      const bool first = choice.kind == PackKind::kWeight || choice.needed;
      if ((Choose(2) == 0) != first) continue;
      found_.packed[facts.stage].push_back(choice.plan.stage);
      Note(state, facts.stage, "pack " + state.stage(choice.plan.stage).op->name);
    }
  }

  Rules rules_;
  BestTiles& best_;
  std::vector<int> chosen_;
  std::vector<int> counts_;  // by question
  HeuristicAdvice heuristic_;
  Structure found_;
};

}  // namespace

std::vector<Structure> FindStructures(const Preparations& preparations, int most) {
  std::vector<Structure> structures;
  BestTiles best;
  std::vector<int> chosen;
  do {
    StructureAdvice advice(preparations.rules(), best, chosen);
    const auto state = BuildSchedule(preparations, advice, LoopDetail::kAll);
    if (state) {
      structures.push_back(advice.found());
      structures.back().names = state->Names();
    }
    chosen = advice.Next();
  } while (!chosen.empty() && static_cast<int>(structures.size()) < most);
  return structures;
}

}  // namespace schedulegym
