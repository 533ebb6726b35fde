#include "spaces/schedulegym_space.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/code_size.h"
#include "env/lower/lower.h"
#include "spaces/build.h"
#include "spaces/code_limit.h"
#include "spaces/plan_knobs.h"
#include "spaces/read_advice.h"
#include "spaces/reference.h"
#include "spaces/register_spill.h"

namespace schedulegym {
namespace {

constexpr int kTries = 16;
constexpr int kMostSketches = 64;
constexpr double kMostCode = 2500;
// What cannot be had in less code (long rows of padding conditions) may have more than the
// reference schedule by this factor.
constexpr double kCodeSlack = 1.5;
// The quick estimate is off by a factor of ten or so either way.
constexpr double kQuickSlack = 16;

class SchedulegymSpace : public SearchSpace {
 public:
  SchedulegymSpace(std::string name, const RandomTileOptions& options, double most_code,
                   double most_spill)
      : name_(std::move(name)), options_(options), most_code_(most_code), most_spill_(most_spill) {}

  std::string Name() const override { return name_; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    std::optional<Error> reason;
    const Preparations& preparations = PreparationsOf(task);
    for (int i = 0; i < kTries; ++i) {
      Rng stream = rng.Split();
      RandomAdvice advice(options_, best_, stream);
      Result<ScheduleState> state = BuildSchedule(preparations, advice, LoopDetail::kAll);
      if (!state) {
        reason = state.error();
        continue;
      }
      const double code = QuickCodeSize(*state);
      if (code <= kQuickSlack * most_code_ || i >= kTries / 2) return state;
    }
    return reason ? *reason : InvalidSchedule("found no schedule");
  }

  Result<void> Admit(const ScheduleState& state) const override {
    Result<void> spill = CheckSpill(state, most_spill_);
    if (!spill) return spill;
    return CheckCodeSize(state, MostCode(state.shared_task()));
  }

  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    const std::optional<OpenDecision> anew = DrawDecision(state, rng);
    if (!anew) return InvalidSchedule("found no decision that could be another");
    ReadAdvice advice(state, anew, options_, best_, rng);
    return BuildSchedule(PreparationsOf(state.shared_task()), advice, LoopDetail::kAll);
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    std::vector<Sketch> sketches;
    for (const Structure& structure : FindStructures(task, options_.rules, kMostSketches)) {
      auto knobs = std::make_shared<const KnobSpace>(KnobsOf(task, structure, options_.rules));
      Result<ScheduleState> origin = knobs->At(knobs->Origin());
      if (!origin) continue;
      sketches.push_back({*std::move(origin), {}, {}, structure.rules, std::move(knobs)});
    }
    return sketches;
  }

 private:
  double MostCode(const std::shared_ptr<const Task>& task) const {
    const std::lock_guard lock(mutex_);
    auto known = reference_code_.find(task);
    if (known == reference_code_.end()) {
      const Result<LoopProgram> reference = Lower(ReferenceSchedule(task));
      const double code = reference ? CodeSize(*reference, task->target) : 0;
      known = reference_code_.emplace(task, code).first;
    }
    return std::max(most_code_, kCodeSlack * known->second);
  }

  const Preparations& PreparationsOf(const std::shared_ptr<const Task>& task) const {
    const std::lock_guard lock(mutex_);
    return preparations_.try_emplace(task, task, options_.rules).first->second;
  }

  std::string name_;
  RandomTileOptions options_;
  double most_code_;
  double most_spill_;
  mutable BestTiles best_;
  mutable std::mutex mutex_;
  mutable std::map<std::shared_ptr<const Task>, double> reference_code_;
  mutable std::map<std::shared_ptr<const Task>, Preparations> preparations_;
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

}  // namespace

std::unique_ptr<SearchSpace> MakeSchedulegymSpace(const Spec& spec) {
  SpecReader reader(spec, "space");
  RandomTileOptions options;
  options.rules = ReadRules(reader);
  options.sensible = reader.Number("sensible", options.sensible);
  const double most_code = reader.Number("code", kMostCode);
  const double most_spill = ReadMostSpill(reader, "space schedulegym");
  reader.Finish();
  if (options.sensible < 0 || options.sensible > 1) {
    throw InputError("space schedulegym: sensible=" + FormatDouble(options.sensible) +
                     ", expected a share from 0 to 1");
  }
  if (most_code < 100) {
    throw InputError("space schedulegym: code=" + FormatDouble(most_code) +
                     ", expected at least 100");
  }
  return std::make_unique<SchedulegymSpace>(spec.ToText(), options, most_code, most_spill);
}

}  // namespace schedulegym
