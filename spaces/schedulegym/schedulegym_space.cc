// The space `schedulegym`: a sample is built from random decisions (decision_provider.h); a
// mutation reads the decisions of a schedule and draws one of them anew; its skeletons, at most 64,
// are knob spaces (open_plan.h). A point of a knob space is found by building with the decisions of
// the schedule, as far as knobs can say them. Admission bounds code and spills. Options: a flag for
// each rule, `sensible` and `heuristic` (shares, 0 to 1), `code` (operations, at least 100). Caches
// are kept a task, guarded by a mutex.
#include "spaces/schedulegym/schedulegym_space.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/code_size.h"
#include "spaces/code_limit.h"
#include "spaces/register_spill.h"
#include "spaces/schedulegym/open_plan.h"
#include "spaces/schedulegym/read_decision_provider.h"
#include "spaces/schedulegym/schedule_skeleton.h"

namespace schedulegym {
namespace {

constexpr int kMostSketches = 64;

class SchedulegymSpace : public SearchSpace {
 public:
  SchedulegymSpace(std::string name, Sampler sampler, double most_spill)
      : name_(std::move(name)), sampler_(std::move(sampler)), most_spill_(most_spill) {}

  std::string Name() const override { return name_; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    CheckTarget(task->target);
    return DrawSchedule(*SketchCacheOf(task), sampler_.most_code, rng, [&](Rng& stream) {
      return std::make_unique<RandomDecisionProvider>(sampler_.options, *sampler_.best, stream);
    });
  }

  Result<void> Admit(const ScheduleState& state) const override {
    Result<void> spill = CheckSpill(state, most_spill_);
    if (!spill) return spill;
    return CheckCodeSize(state, MostCode(state.shared_task()));
  }

  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    const std::optional<OpenDecision> anew = DrawDecision(state, rng);
    if (!anew) return InvalidSchedule("found no decision that could be another");
    ReadDecisionProvider decisions(state, anew, sampler_.options, *sampler_.best, rng);
    return BuildSchedule(*SketchCacheOf(state.shared_task()), decisions, LoopDetail::kAll);
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    CheckTarget(task->target);
    {
      const std::lock_guard lock(mutex_);
      const auto known = sketches_.find(task);
      if (known != sketches_.end()) return known->second;
    }
    std::vector<Sketch> sketches = FindSketches(task);
    const std::lock_guard lock(mutex_);
    return sketches_.emplace(task, std::move(sketches)).first->second;
  }

 private:
  void CheckTarget(const Target& target) const {
    if (!target.IsGpu()) return;
    throw InputError("space " + name_ + ": it has no rules for target " + target.BackendName() +
                     " yet, expected space ansor");
  }

  std::vector<Sketch> FindSketches(const std::shared_ptr<const Task>& task) const {
    const std::shared_ptr<const SketchCache> sketch_cache = SketchCacheOf(task);
    std::vector<Sketch> sketches;
    for (const ScheduleSkeleton& skeleton : FindSkeletons(*sketch_cache, kMostSketches)) {
      auto knobs = std::make_shared<const KnobSpace>(KnobsOf(sketch_cache, skeleton, sampler_));
      Result<ScheduleState> origin = knobs->At(knobs->Origin());
      if (!origin) continue;
      sketches.push_back({*std::move(origin), skeleton.rules, std::move(knobs)});
    }
    return sketches;
  }

  double MostCode(const std::shared_ptr<const Task>& task) const {
    const std::lock_guard lock(mutex_);
    const auto known = most_code_of_.find(task);
    if (known != most_code_of_.end()) return known->second;
    return most_code_of_.emplace(task, MostCodeOf(task, sampler_.most_code)).first->second;
  }

  std::shared_ptr<const SketchCache> SketchCacheOf(const std::shared_ptr<const Task>& task) const {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const SketchCache>& known = sketch_cache_[task];
    if (!known) known = std::make_shared<const SketchCache>(task, sampler_.options.rules);
    return known;
  }

  std::string name_;
  Sampler sampler_;
  double most_spill_;
  mutable std::mutex mutex_;
  mutable std::map<std::shared_ptr<const Task>, double> most_code_of_;
  // Facts that are computed once for a task.
  mutable std::map<std::shared_ptr<const Task>, std::shared_ptr<const SketchCache>> sketch_cache_;
  mutable std::map<std::shared_ptr<const Task>, std::vector<Sketch>> sketches_;
};

Rules ReadRules(SpecReader& reader) {
  Rules rules;
  rules.pack = reader.Flag("pack", rules.pack);
  rules.layout = reader.Flag("layout", rules.layout);
  rules.tails = reader.Flag("tails", rules.tails);
  rules.register_tile = reader.Flag("register_tile", rules.register_tile);
  rules.parity = reader.Flag("parity", rules.parity);
  rules.rows = reader.Flag("rows", rules.rows);
  rules.partial_sums = reader.Flag("partial_sums", rules.partial_sums);
  rules.fuse = reader.Flag("fuse", rules.fuse);
  return rules;
}

double ReadShare(SpecReader& reader, const std::string& name, double usual) {
  const double share = reader.Number(name, usual);
  if (share >= 0 && share <= 1) return share;
  throw InputError("space schedulegym: " + name + "=" + FormatDouble(share) +
                   ", expected a share from 0 to 1");
}

// Answers decisions about the structure from the skeleton; others with the smallest legal value.
class SkeletonDecisions : public DecisionProvider {
 public:
  explicit SkeletonDecisions(const OpenPlan& plan) : plan_(plan) {}

  bool Inline(const ScheduleState&, int stage) override {
    return Answer(plan_.skeleton().inlined, stage, false);
  }
  bool FuseConsumer(const ScheduleState&, int stage) override {
    return Answer(plan_.skeleton().fused, stage, false);
  }
  int64_t Lanes(const ScheduleState&, int stage, int64_t) override {
    return Answer(plan_.skeleton().lanes, stage, int64_t{1});
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
class PointDecisions : public SkeletonDecisions {
 public:
  PointDecisions(const OpenPlan& plan, const KnobPoint& point)
      : SkeletonDecisions(plan), fixed_(point.begin(), point.end()) {}

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

// Draws the open decisions.
class CompletingDecisions : public SkeletonDecisions {
 public:
  CompletingDecisions(const OpenPlan& plan, const OpenPoint& fixed, const Sampler& sampler,
                      Rng& rng)
      : SkeletonDecisions(plan), fixed_(fixed), random_(sampler.options, *sampler.best, rng) {}

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
  RandomDecisionProvider random_;
};

// Finds the point of a finished schedule: answers as it was made, as far as knobs can.
class ReadingDecisions : public SkeletonDecisions {
 public:
  ReadingDecisions(const OpenPlan& plan, const ScheduleState& finished, size_t knobs)
      : SkeletonDecisions(plan), finished_(finished), point_(knobs) {}

  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override {
    if (Knows(facts.stage)) {
      const auto read = ReadTilePlan(finished_, facts, PlanReading::kExact);
      Note(read && plan().ReadTile(facts, *read, point_));
    }
    return PointDecisions(plan(), point_).Tile(state, facts);
  }
  MapPlan Map(const ScheduleState& state, int stage) override {
    if (Knows(stage)) {
      MapPlan read = ReadMapPlan(finished_, stage);
      read.parallel = IsParallel(finished_.stage(stage));
      Note(plan().ReadMap(stage, read, point_));
    }
    return PointDecisions(plan(), point_).Map(state, stage);
  }
  int Depth(const ScheduleState& state, int stage, int most) override {
    if (Knows(stage))
      Note(plan().ReadDepth(stage, schedulegym::ReadDepth(finished_, stage), point_));
    return PointDecisions(plan(), point_).Depth(state, stage, most);
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
  PlanBuilder(std::shared_ptr<const SketchCache> sketch_cache, OpenPlan plan, Sampler sampler)
      : sketch_cache_(std::move(sketch_cache)),
        plan_(std::move(plan)),
        sampler_(std::move(sampler)) {}

  // No value is lowered: whether decisions go together is seen once all are made.
  Result<ScheduleState> At(const KnobPoint& point, InvalidPointPolicy) const override {
    PointDecisions decisions(plan_, point);
    return BuildSchedule(*sketch_cache_, decisions, LoopDetail::kAll);
  }

  Result<ScheduleState> Complete(const OpenPoint& fixed, Rng& rng) const override {
    return DrawSchedule(*sketch_cache_, sampler_.most_code, rng, [&](Rng& stream) {
      return std::make_unique<CompletingDecisions>(plan_, fixed, sampler_, stream);
    });
  }

  std::optional<KnobPoint> Read(const ScheduleState& state) const override {
    ReadingDecisions decisions(plan_, state, plan_.Knobs().size());
    const Result<ScheduleState> built = BuildSchedule(*sketch_cache_, decisions, LoopDetail::kAll);
    return built ? decisions.Found() : std::nullopt;
  }

 private:
  std::shared_ptr<const SketchCache> sketch_cache_;
  OpenPlan plan_;
  Sampler sampler_;
};

}  // namespace

std::unique_ptr<SearchSpace> MakeSchedulegymSpace(const Spec& spec) {
  SpecReader reader(spec, "space");
  Sampler sampler;
  RandomTileOptions& options = sampler.options;
  options.rules = ReadRules(reader);
  options.sensible = ReadShare(reader, "sensible", options.sensible);
  options.heuristic = ReadShare(reader, "heuristic", options.heuristic);
  sampler.most_code = reader.Number("code", sampler.most_code);
  const double most_code = sampler.most_code;
  const double most_spill = ReadMostSpill(reader, "space schedulegym");
  reader.Finish();
  if (most_code < 100) {
    throw InputError("space schedulegym: code=" + FormatDouble(most_code) +
                     ", expected at least 100");
  }
  return std::make_unique<SchedulegymSpace>(spec.ToText(), std::move(sampler), most_spill);
}

KnobSpace KnobsOf(std::shared_ptr<const SketchCache> sketch_cache, const ScheduleSkeleton& skeleton,
                  const Sampler& sampler) {
  const std::shared_ptr<const Task> task = sketch_cache->task();
  OpenPlan plan(*task, skeleton, sketch_cache->rules());
  std::vector<Knob> knobs = plan.Knobs();
  std::vector<KnobTile> tiles = plan.Tiles();
  return {task, std::move(knobs),
          std::make_shared<const PlanBuilder>(std::move(sketch_cache), std::move(plan), sampler),
          std::move(tiles)};
}

}  // namespace schedulegym
