#include "spaces/schedulegym/plan_knobs.h"

#include <algorithm>
#include <utility>

#include "spaces/schedulegym/open_plan.h"
#include "spaces/schedulegym/read_plan.h"

namespace schedulegym {
namespace {

// What changes the structure is answered as the structure has it; what no answer is known for, by
// the least that is legal.
class StructuredAdvice : public Advice {
 public:
  explicit StructuredAdvice(const OpenPlan& plan) : plan_(plan) {}

  bool Inline(const ScheduleState&, int stage) override {
    return Answer(plan_.structure().inlined, stage, false);
  }
  bool FuseConsumer(const ScheduleState&, int stage) override {
    return Answer(plan_.structure().fused, stage, false);
  }
  int64_t Lanes(const ScheduleState&, int stage, int64_t) override {
    return Answer(plan_.structure().lanes, stage, int64_t{1});
  }

 protected:
  const OpenPlan& plan() const { return plan_; }

 private:
  template <typename T>
  static T Answer(const std::map<int, T>& answers, int stage, T without) {
    const auto found = answers.find(stage);
    return found == answers.end() ? without : found->second;
  }

  const OpenPlan& plan_;
};

// By a point.
class PointAdvice : public StructuredAdvice {
 public:
  PointAdvice(const OpenPlan& plan, const KnobPoint& point)
      : StructuredAdvice(plan), fixed_(point.begin(), point.end()) {}

  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override {
    return plan().Tile(state, facts, fixed_, PlainTile(facts));
  }
  MapPlan Map(const ScheduleState&, int stage) override { return plan().Map(stage, fixed_, {}); }
  int Depth(const ScheduleState&, int stage, int most) override {
    return std::min(most, plan().Depth(stage, fixed_, 0));
  }

 private:
  OpenPoint fixed_;
};

// What is open as it is drawn.
class CompletingAdvice : public StructuredAdvice {
 public:
  CompletingAdvice(const OpenPlan& plan, const OpenPoint& fixed, const Sampler& sampler, Rng& rng)
      : StructuredAdvice(plan), fixed_(fixed), random_(sampler.options, *sampler.best, rng) {}

  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override {
    return plan().Tile(state, facts, fixed_, random_.Tile(state, facts));
  }
  MapPlan Map(const ScheduleState& state, int stage) override {
    return plan().Map(stage, fixed_, random_.Map(state, stage));
  }
  int Depth(const ScheduleState& state, int stage, int most) override {
    return std::min(most, plan().Depth(stage, fixed_, random_.Depth(state, stage, most)));
  }

 private:
  const OpenPoint& fixed_;
  RandomAdvice random_;
};

// Finds the point of a finished schedule: answers as it was made, as far as knobs can.
class ReadingAdvice : public StructuredAdvice {
 public:
  ReadingAdvice(const OpenPlan& plan, const ScheduleState& finished, size_t knobs)
      : StructuredAdvice(plan), finished_(finished), point_(knobs) {}

  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override {
    if (Knows(facts.stage)) {
      const auto read = ReadTilePlan(finished_, facts, PlanReading::kExact);
      Note(read && plan().ReadTile(facts, *read, point_));
    }
    return PointAdvice(plan(), point_).Tile(state, facts);
  }
  MapPlan Map(const ScheduleState& state, int stage) override {
    if (Knows(stage)) {
      MapPlan read = ReadMapPlan(finished_, stage);
      read.parallel = IsParallel(finished_.stage(stage));
      Note(plan().ReadMap(stage, read, point_));
    }
    return PointAdvice(plan(), point_).Map(state, stage);
  }
  int Depth(const ScheduleState& state, int stage, int most) override {
    if (Knows(stage))
      Note(plan().ReadDepth(stage, schedulegym::ReadDepth(finished_, stage), point_));
    return PointAdvice(plan(), point_).Depth(state, stage, most);
  }

  std::optional<KnobPoint> Found() const { return reads_ ? std::optional(point_) : std::nullopt; }

 private:
  bool Knows(int stage) {
    Note(stage < finished_.size());
    return reads_;
  }
  void Note(bool reads) { reads_ = reads_ && reads; }
  static bool IsParallel(const Stage& stage) {
    return std::any_of(stage.loops.begin(), stage.loops.end(), [](const StageLoop& loop) {
      return loop.annotation == Annotation::kParallel;
    });
  }

  const ScheduleState& finished_;
  KnobPoint point_;
  bool reads_ = true;
};

class PlanBuilder : public KnobBuilder {
 public:
  PlanBuilder(std::shared_ptr<const Preparations> preparations, OpenPlan plan, Sampler sampler)
      : preparations_(std::move(preparations)),
        plan_(std::move(plan)),
        sampler_(std::move(sampler)) {}

  // No value is lowered: whether decisions go together is seen once all are made.
  Result<ScheduleState> At(const KnobPoint& point, Misfit) const override {
    PointAdvice advice(plan_, point);
    return BuildSchedule(*preparations_, advice, LoopDetail::kAll);
  }

  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const override {
    return DrawSchedule(*preparations_, sampler_.most_code, rng, [&](Rng& stream) {
      return std::make_unique<CompletingAdvice>(plan_, fixed, sampler_, stream);
    });
  }

  std::optional<KnobPoint> Read(const ScheduleState& state) const override {
    ReadingAdvice advice(plan_, state, plan_.Knobs().size());
    const Result<ScheduleState> built = BuildSchedule(*preparations_, advice, LoopDetail::kAll);
    return built ? advice.Found() : std::nullopt;
  }

 private:
  std::shared_ptr<const Preparations> preparations_;
  OpenPlan plan_;
  Sampler sampler_;
};

}  // namespace

KnobSpace KnobsOf(std::shared_ptr<const Preparations> preparations, const Structure& structure,
                  const Sampler& sampler) {
  const std::shared_ptr<const Task> task = preparations->task();
  OpenPlan plan(*task, structure, preparations->rules());
  std::vector<Knob> knobs = plan.Knobs();
  std::vector<KnobTile> tiles = plan.Tiles();
  return {task, std::move(knobs),
          std::make_shared<const PlanBuilder>(std::move(preparations), std::move(plan), sampler),
          std::move(tiles)};
}

}  // namespace schedulegym
