#include "spaces/tiles.h"

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "spaces/build.h"
#include "spaces/code_size.h"
#include "spaces/random_advice.h"
#include "spaces/sketches/mutate.h"

namespace schedulegym {
namespace {

constexpr int kTries = 16;
constexpr double kMostCode = 2500;

class TilesSpace : public SearchSpace {
 public:
  TilesSpace(std::string name, const RandomTileOptions& options, double most_code)
      : name_(std::move(name)), options_(options), most_code_(most_code) {}

  std::string Name() const override { return name_; }

  Result<ScheduleState> Sample(const std::shared_ptr<const Task>& task, Rng& rng) const override {
    std::optional<Error> reason;
    for (int i = 0; i < kTries; ++i) {
      Rng stream = rng.Split();
      RandomAdvice advice(options_, stream);
      Result<ScheduleState> state = BuildSchedule(task, advice);
      if (!state) {
        reason = state.error();
        continue;
      }
      const Result<LoopProgram> program = Lower(*state);
      if (!program) {
        reason = program.error();
        continue;
      }
      const double code = CodeSize(*program, task->target);
      // What cannot be had in less code (long rows of padding conditions) is let through in the
      // end.
      if (code <= most_code_ * (i < kTries / 2 ? 1 : 4)) return state;
      reason = InvalidSchedule("found code of " + FormatDouble(code) +
                               " operations, expected at most " + FormatDouble(most_code_));
    }
    return *reason;
  }

  Result<ScheduleState> Mutate(const ScheduleState& state, Rng& rng) const override {
    return schedulegym::Mutate(SketchFacts(state.task()), state, rng);
  }

 private:
  std::string name_;
  RandomTileOptions options_;
  double most_code_;
};

}  // namespace

std::unique_ptr<SearchSpace> MakeTilesSpace(const Spec& spec) {
  SpecReader reader(spec, "space");
  RandomTileOptions options;
  options.pack = reader.Flag("pack", options.pack);
  options.sensible = reader.Number("sensible", options.sensible);
  const double most_code = reader.Number("code", kMostCode);
  reader.Finish();
  if (options.sensible < 0 || options.sensible > 1) {
    throw InputError("space tiles: sensible=" + FormatDouble(options.sensible) +
                     ", expected a share from 0 to 1");
  }
  if (most_code < 100) {
    throw InputError("space tiles: code=" + FormatDouble(most_code) + ", expected at least 100");
  }
  return std::make_unique<TilesSpace>(spec.ToText(), options, most_code);
}

}  // namespace schedulegym
