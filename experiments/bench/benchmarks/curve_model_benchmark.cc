// Times DynaTune's fits: one curve by least squares, by sampling, nine combined.
// usage: curve_model_benchmark [POINTS [RUNS]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "agents/schedulers/dynatune/curve_model.h"
#include "env/base/clock.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

struct Curve {
  std::vector<double> x, y;
};

// A search's best speed: jumps that become rarer and smaller.
Curve Staircase(int points, Rng rng) {
  Curve curve;
  double best = 0;
  for (int i = 1; i <= points; ++i) {
    const double drawn = (1 - 0.8 / std::sqrt(i)) * (0.9 + 0.1 * rng.Uniform());
    best = std::max(best, drawn);
    curve.x.push_back(i);
    curve.y.push_back(best);
  }
  return curve;
}

void Print(const char* name, const CurveModelOptions& options, int points, int runs) {
  const SteadyClock clock;
  std::vector<double> seconds;
  Forecast prediction;
  size_t families = 0;
  for (int run = 0; run < runs; ++run) {
    const Curve curve = Staircase(points, Rng(run));
    const double begin = clock.Now();
    const CurveModel curve_model(options, curve.x, curve.y, 2 * points, {}, Rng(run));
    prediction = curve_model.At(2 * points);
    seconds.push_back(clock.Now() - begin);
    families = curve_model.families().size();
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("%-16s %8.2f ms (%.2f to %.2f in %d runs), %zu curves, %d x %d: %.3f +- %.3f\n", name,
              seconds[seconds.size() / 2] * 1e3, seconds.front() * 1e3, seconds.back() * 1e3, runs,
              families, options.samples ? options.ensemble.walkers : 0,
              options.samples ? options.ensemble.steps : 0, prediction.mean, prediction.deviation);
}

int Main(int argc, char** argv) {
  const std::optional<int64_t> points = argc > 1 ? ParseInteger(argv[1]) : 100;
  const std::optional<int64_t> runs = argc > 2 ? ParseInteger(argv[2]) : 11;
  if (argc > 3 || !points || !runs || *points < 3 || *points > 1'000'000 || *runs < 1) {
    std::fprintf(stderr,
                 "usage: curve_model_benchmark [POINTS [RUNS]], at least 3 points and a run\n");
    return 2;
  }
  const auto count = static_cast<int>(*points), times = static_cast<int>(*runs);
  Print("least squares", LeastSquaresCurveModel(), count, times);
  Print("log power", CurveModelOptions(), count, times);
  Print("nine families", CombinedCurveModel(), count, times);
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::Main(argc, argv); }
