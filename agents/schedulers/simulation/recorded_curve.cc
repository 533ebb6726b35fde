// Groups recorded curves by task, and draws synthetic ones: a learning-curve family
// (curve_family.h) with log-uniform first value, middle, final speed and reference. Each trial
// falls short of the shape by an exponential share of 0.1 on average and fails with probability
// `failures`; jumps and plateaus have given probabilities. A similar task's curve differs from the
// one before by at most a quarter in shape and twice in size. The ranges are this project's choice.
// Cost: O(trials) a curve.
#include "agents/schedulers/simulation/recorded_curve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "agents/schedulers/dynatune/curve_family.h"

namespace schedulegym {
namespace {

double Between(double low, double high, Rng& rng) {
  return low * std::pow(high / low, rng.Uniform());
}

// A search's speed over its final one, without noise.
struct DrawnShape {
  CurveFamily family = CurveFamily::kLogPower;
  double first = 0.1;    // at the first trial
  double middle = 20;    // the trial at which half of the rest is reached
  double final = 10;     // times the reference's speed
  double reference = 1;  // seconds
  double flops = 1;
};

DrawnShape DrawShape(const DrawnCurveOptions& options, Rng& rng) {
  const auto families = CombinedFamilies();
  DrawnShape shape;
  shape.family = families[rng.Below(std::ssize(families))];
  shape.first = Between(0.02, 0.5, rng);
  shape.middle = Between(3, std::max(4.0, options.trials / 2.0), rng);
  shape.final = Between(1, 30, rng);
  shape.reference = Between(1e-5, 1e-2, rng);
  shape.flops = shape.reference * Between(1e9, 1e10, rng);
  return shape;
}

// Draws the shape of a similar task, which is near in all but its size.
DrawnShape DrawNear(DrawnShape shape, Rng& rng) {
  shape.first = std::min(0.5, shape.first * Between(0.8, 1.25, rng));
  shape.middle *= Between(0.8, 1.25, rng);
  shape.final = std::max(1.0, shape.final * Between(0.9, 1.1, rng));
  const double size = Between(0.5, 2, rng);
  shape.reference *= size;
  shape.flops *= size;
  return shape;
}

class CurveDrawing {
 public:
  CurveDrawing(const DrawnCurveOptions& options, const DrawnShape& shape, Rng rng)
      : options_(options), shape_(shape), rng_(rng), parameters_(Parameters()) {
    const double all = options.trials;
    if (rng_.Chance(options.jump)) {
      jump_at_ = Between(all / 10, all, rng_);
      jump_ = Between(1.1, 2, rng_);
    }
    if (!rng_.Chance(options.plateau)) return;
    plateau_at_ = Between(all / 20, all / 2, rng_);
    plateau_ = all * Between(0.1, 0.5, rng_);
  }

  TaskCurve Draw() {
    const double trial_seconds = Between(0.05, 0.5, rng_);
    const double thinking = Between(0.1, 1, rng_);
    TaskCurve curve;
    for (int begin = 0; begin < options_.trials; begin += options_.batch) {
      Turn turn;
      turn.thinking = thinking;
      turn.trials = std::min(options_.batch, options_.trials - begin);
      turn.seconds = thinking;
      for (int i = begin; i < begin + turn.trials; ++i) {
        turn.failures += DrawTrial(i + 1, curve) ? 0 : 1;
        curve.seconds_by_trial.push_back(trial_seconds * Between(0.8, 1.25, rng_));
        turn.seconds += curve.seconds_by_trial.back();
      }
      turn.best = curve.best;
      curve.turns.push_back(turn);
    }
    return curve;
  }

 private:
  CurveParameters Parameters() const {
    const std::vector<double> x = {1, shape_.middle, static_cast<double>(options_.trials)};
    const std::vector<double> y = {shape_.first, (1 + shape_.first) / 2, 1};
    return CurveStarts(shape_.family, x, y).back();
  }

  // Returns whether the trial succeeded. It falls short of the shape by a tenth on average.
  bool DrawTrial(int trial, TaskCurve& curve) {
    const bool succeeds = !rng_.Chance(options_.failures);
    const double ratio = shape_.final * ShapeAt(trial) * (1 + 0.1 * std::log(1 - rng_.Uniform()));
    if (succeeds && ratio > 0 && (!curve.best || ratio > curve.best->ratio)) {
      curve.best = BestResult{ratio, shape_.reference};
    }
    curve.best_by_trial.emplace_back();
    if (curve.best) curve.best_by_trial.back() = curve.best->ratio;
    return succeeds;
  }

  // On a plateau the value stays; after it the curve continues where it would be without one.
  double ShapeAt(double trial) const {
    const bool rests = trial > plateau_at_ && trial < plateau_at_ + plateau_;
    const double share = ValueAt(rests ? plateau_at_ : trial) / ValueAt(options_.trials);
    return trial >= jump_at_ ? share * jump_ : share;
  }

  double ValueAt(double trial) const { return CurveValue(shape_.family, parameters_, trial); }

  DrawnCurveOptions options_;
  DrawnShape shape_;
  Rng rng_;
  CurveParameters parameters_;
  double jump_at_ = 0, jump_ = 1;  // from the first trial on, by nothing
  double plateau_at_ = 0, plateau_ = 0;
};

}  // namespace

CurvesByTask GroupByTask(std::span<const RecordedCurve> curves) {
  CurvesByTask tasks;
  std::map<std::string, size_t> places;
  for (const RecordedCurve& curve : curves) {
    const auto [place, is_new] = places.emplace(curve.task, tasks.size());
    if (is_new) tasks.emplace_back();
    tasks[place->second].push_back(&curve);
  }
  return tasks;
}

std::vector<RecordedCurve> DrawCurves(const DrawnCurveOptions& options, int count, Rng rng) {
  std::vector<RecordedCurve> curves;
  DrawnShape shape;
  std::string tag;
  for (int i = 0; i < count; ++i) {
    const bool is_alike = i > 0 && rng.Chance(options.alike);
    shape = is_alike ? DrawNear(shape, rng) : DrawShape(options, rng);
    if (!is_alike) tag = std::to_string(i);
    RecordedCurve& curve = curves.emplace_back();
    curve.task = "drawn" + std::to_string(i) + " " + EntryOf(shape.family).name;
    curve.agent = curve.scheduler = curve.search = "drawn";
    curve.facts.flops = shape.flops;
    curve.facts.tag = tag;
    curve.reference = shape.reference;
    curve.whole = CurveDrawing(options, shape, rng.Split()).Draw();
    for (int64_t turn = 0; turn < std::ssize(curve.whole.turns); ++turn) {
      curve.places.push_back(turn * count + i);
    }
  }
  return curves;
}

}  // namespace schedulegym
