#include "spaces/schedulegym/schedulegym_space.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/code_limit.h"
#include "spaces/code_limit.h"
#include "spaces/register_spill.h"
#include "spaces/schedulegym/build.h"
#include "spaces/schedulegym/draw_schedule.h"
#include "spaces/schedulegym/plan_knobs.h"
#include "spaces/schedulegym/read_advice.h"

namespace schedulegym {
namespace {

constexpr int kMostSketches = 64;

class SchedulegymSpace : public SearchSpace {
 public:
  SchedulegymSpace(std::string name, Sampler sampler, double most_spill)
      : name_(std::move(name)), sampler_(std::move(sampler)), most_spill_(most_spill) {}

  std::string Name() const override { return name_; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    return DrawSchedule(*PreparationsOf(task), sampler_.most_code, rng, [&](Rng& stream) {
      return std::make_unique<RandomAdvice>(sampler_.options, *sampler_.best, stream);
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
    ReadAdvice advice(state, anew, sampler_.options, *sampler_.best, rng);
    return BuildSchedule(*PreparationsOf(state.shared_task()), advice, LoopDetail::kAll);
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
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
  std::vector<Sketch> FindSketches(const std::shared_ptr<const Task>& task) const {
    const std::shared_ptr<const Preparations> preparations = PreparationsOf(task);
    std::vector<Sketch> sketches;
    for (const Structure& structure : FindStructures(*preparations, kMostSketches)) {
      auto knobs = std::make_shared<const KnobSpace>(KnobsOf(preparations, structure, sampler_));
      Result<ScheduleState> origin = knobs->At(knobs->Origin());
      if (!origin) continue;
      sketches.push_back({*std::move(origin), structure.rules, std::move(knobs)});
    }
    return sketches;
  }

  double MostCode(const std::shared_ptr<const Task>& task) const {
    const std::lock_guard lock(mutex_);
    const auto known = most_code_of_.find(task);
    if (known != most_code_of_.end()) return known->second;
    return most_code_of_.emplace(task, MostCodeOf(task, sampler_.most_code)).first->second;
  }

  std::shared_ptr<const Preparations> PreparationsOf(
      const std::shared_ptr<const Task>& task) const {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Preparations>& known = preparations_[task];
    if (!known) known = std::make_shared<const Preparations>(task, sampler_.options.rules);
    return known;
  }

  std::string name_;
  Sampler sampler_;
  double most_spill_;
  mutable std::mutex mutex_;
  mutable std::map<std::shared_ptr<const Task>, double> most_code_of_;
  // What is prepared once for a task.
  mutable std::map<std::shared_ptr<const Task>, std::shared_ptr<const Preparations>> preparations_;
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

}  // namespace schedulegym
