#include "spaces/ansor/sketch_space.h"

#include <map>
#include <mutex>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/code_limit.h"
#include "env/search/sketch.h"
#include "spaces/ansor/ansor_rules.h"
#include "spaces/ansor/complete.h"
#include "spaces/ansor/derive.h"
#include "spaces/ansor/mutate.h"
#include "spaces/ansor/rewrite_weights.h"
#include "spaces/ansor/sketch_knobs.h"
#include "spaces/register_spill.h"

namespace schedulegym {
namespace {

// Enough for a step of 512 on several statements. A choice: no search was measured with others.
constexpr double kMostCode = 10000;
// Elements that `vector` may allow a loop.
constexpr int64_t kLongestVector = 65536;

struct SketchOptions {
  double most_code = kMostCode;
  double most_spill = 0;
  int64_t most_vector = kMostVector;
  bool layout = false;  // weights are stored as their reader reads them
};

class SketchSpace : public SearchSpace {
 public:
  SketchSpace(std::string name, std::vector<SketchRule> rules, SketchOptions options)
      : name_(std::move(name)), rules_(std::move(rules)), options_(options) {}

  std::string Name() const override { return name_; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    const Derived& derived = DerivedOf(task);
    const auto count = static_cast<int64_t>(derived.open.size());
    return Finish(Complete(derived.open[rng.Below(count)], {}, rng));
  }

  Result<void> Admit(const ScheduleState& state) const override {
    Result<void> spill = CheckSpill(state, options_.most_spill);
    if (!spill) return spill;
    return CheckCodeSize(state, options_.most_code);
  }

  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    return Finish(schedulegym::Mutate(DerivedOf(state.shared_task()).facts, state, rng));
  }

  std::vector<Sketch> Sketches(const std::shared_ptr<const Task>& task) const override {
    return DerivedOf(task).sketches;
  }

 private:
  // What is found out once for each task.
  struct Derived {
    SketchFacts facts;
    std::vector<OpenSketch> open;
    std::vector<Sketch> sketches;  // the same as knobs
  };

  const Derived& DerivedOf(const std::shared_ptr<const Task>& task) const {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<const Derived>& derived = derived_[task];
    if (!derived) derived = std::make_unique<const Derived>(Derive(task));
    if (!derived->sketches.empty()) return *derived;
    throw InputError("space " + name_ + ": its rules lead to no schedule of " + task->name +
                     "; expected rule skip among them");
  }

  Derived Derive(const std::shared_ptr<const Task>& task) const {
    Derived derived{SketchFacts(*task), DeriveSketches(task, rules_, options_.most_vector), {}};
    const Finishing finishing =
        options_.layout ? Finishing{RewriteWeights, WithoutRewrites} : Finishing{};
    for (const OpenSketch& open : derived.open) {
      derived.sketches.push_back(SketchOf(open, finishing));
    }
    return derived;
  }

  Result<ScheduleState> Finish(Result<ScheduleState> state) const {
    return state && options_.layout ? RewriteWeights(*std::move(state)) : state;
  }

  std::string name_;
  std::vector<SketchRule> rules_;
  SketchOptions options_;
  mutable std::mutex mutex_;
  mutable std::map<std::shared_ptr<const Task>, std::unique_ptr<const Derived>> derived_;
};

}  // namespace

std::unique_ptr<SearchSpace> MakeAnsorSpace(const Spec& spec) {
  SpecReader reader(spec, "space");
  std::vector<SketchRule> rules;
  for (SketchRule& rule : AnsorRules()) {
    if (reader.Flag(rule.name, true)) rules.push_back(std::move(rule));
  }
  SketchOptions options;
  options.layout = reader.Flag("layout", options.layout);
  options.most_code = reader.Number("code", options.most_code);
  options.most_vector = reader.Integer("vector", options.most_vector);
  options.most_spill = ReadMostSpill(reader, "space ansor");
  reader.Finish();
  if (options.most_code < 100) {
    throw InputError("space ansor: code=" + FormatDouble(options.most_code) +
                     ", expected at least 100");
  }
  if (options.most_vector < 1 || options.most_vector > kLongestVector) {
    throw InputError("space ansor: vector=" + std::to_string(options.most_vector) +
                     ", expected 1 to " + std::to_string(kLongestVector));
  }
  return std::make_unique<SketchSpace>(spec.ToText(), std::move(rules), options);
}

}  // namespace schedulegym
