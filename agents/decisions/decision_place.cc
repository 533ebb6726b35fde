// Decisions of a schedule as a tree: first the sketch, then one knob of it after another, outputs
// first, or placements, orders and parallel loops first (`order=structure`). A value of a tile's
// length is a child only if the lengths fixed so far can still fill the tile. The key hashes the
// sketch and all fixed values, so equal partial points are one place. KnobSpace::Complete draws the
// open knobs.
// Cost: O(knobs) a step, and the ways of one tile.
#include "agents/decisions/decision_place.h"

#include <algorithm>
#include <utility>

#include "env/base/check.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

bool IsStructure(const Knob& knob) {
  return knob.kind == KnobKind::kLocation || knob.kind == KnobKind::kOrder ||
         knob.kind == KnobKind::kParallel;
}

// A sketch and the order of its knobs' decisions.
struct DecisionSequence {
  Sketch sketch;
  std::vector<int> order;

  int decisions() const { return static_cast<int>(order.size()); }
};

DecisionSequence TrajectoryOf(Sketch sketch, DecisionOrder order) {
  std::vector<int> knobs = OutputsFirst(sketch);
  if (order == DecisionOrder::kStructureFirst) {
    std::stable_partition(knobs.begin(), knobs.end(),
                          [&](int knob) { return IsStructure(sketch.knobs->knob(knob)); });
  }
  return {std::move(sketch), std::move(knobs)};
}

// Returns whether the lengths fixed so far leave a way to choose the others of their tile.
bool Fits(const KnobSpace& knobs, int knob, const OpenPoint& fixed) {
  return std::ranges::all_of(knobs.tiles(), [&](const KnobTile& tile) {
    const bool has = std::ranges::find(tile.knobs, knob) != tile.knobs.end();
    return !has || !WaysOf(tile, fixed).empty();
  });
}

// A sketch with the first `made` decisions of its order.
class KnobPlace : public TreePlace {
 public:
  KnobPlace(std::shared_ptr<const DecisionSequence> sequence, int number, OpenPoint fixed, int made)
      : sequence_(std::move(sequence)), number_(number), fixed_(std::move(fixed)), made_(made) {}

  int choices() const override {
    return made_ == sequence_->decisions() ? 0 : knobs().size_of(sequence_->order[made_]);
  }

  std::shared_ptr<const TreePlace> After(int choice) const override {
    const int knob = sequence_->order[made_];
    OpenPoint fixed = fixed_;
    fixed[knob] = choice;
    if (!Fits(knobs(), knob, fixed)) return nullptr;
    return std::make_shared<KnobPlace>(sequence_, number_, std::move(fixed), made_ + 1);
  }

  Result<ScheduleState> Complete(Rng& rng) const override { return knobs().Complete(fixed_, rng); }

  Key key() const override {
    Hasher hasher;
    hasher.Add(static_cast<uint64_t>(number_) + 1);
    for (const std::optional<int>& value : fixed_) {
      hasher.Add(value ? static_cast<uint64_t>(*value) + 1 : 0);
    }
    return hasher.KeyValue();
  }

  std::string Word(int choice) const override {
    const int knob = sequence_->order[made_];
    return knobs().knob(knob).name + ", " + knobs().MeaningOf(knob, choice);
  }

 private:
  const KnobSpace& knobs() const { return *sequence_->sketch.knobs; }

  std::shared_ptr<const DecisionSequence> sequence_;
  int number_;  // of the sketch
  OpenPoint fixed_;
  int made_;
};

class SketchPlace : public TreePlace {
 public:
  explicit SketchPlace(std::vector<std::shared_ptr<const DecisionSequence>> sequences)
      : sequences_(std::move(sequences)) {
    SG_CHECK(!sequences_.empty(), "a sketch to choose");
  }

  int choices() const override { return static_cast<int>(sequences_.size()); }

  std::shared_ptr<const TreePlace> After(int choice) const override {
    const std::shared_ptr<const DecisionSequence>& sequence = sequences_[choice];
    return std::make_shared<KnobPlace>(sequence, choice, OpenPoint(sequence->order.size()), 0);
  }

  Result<ScheduleState> Complete(Rng& rng) const override {
    return After(static_cast<int>(rng.Below(choices())))->Complete(rng);
  }

  Key key() const override { return Hasher().KeyValue(); }

  std::string Word(int choice) const override {
    const std::vector<std::string>& rules = sequences_[choice]->sketch.rules;
    return "sketch " + std::to_string(choice) + (rules.empty() ? "" : ": " + Join(rules, ", "));
  }

 private:
  std::vector<std::shared_ptr<const DecisionSequence>> sequences_;
};

}  // namespace

std::shared_ptr<const TreePlace> FirstDecision(std::vector<Sketch> sketches, DecisionOrder order) {
  std::vector<std::shared_ptr<const DecisionSequence>> sequences;
  for (Sketch& sketch : sketches) {
    sequences.push_back(
        std::make_shared<const DecisionSequence>(TrajectoryOf(std::move(sketch), order)));
  }
  return std::make_shared<SketchPlace>(std::move(sequences));
}

int MostDecisions(const std::vector<Sketch>& sketches) {
  int most = 0;
  for (const Sketch& sketch : sketches) most = std::max(most, sketch.knobs->dimensions());
  return 1 + most;
}

}  // namespace schedulegym
