// Metrics of cost models on measured schedules: trained on the first records of a store's task,
// evaluated on the rest.
// usage: model_benchmark STORE [FIRST...]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "agents/cost/analytical_cost_model.h"
#include "agents/cost/boosted_cost_model.h"
#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/store/record_store.h"
#include "env/program/language/parser.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// As the agent ansor trains in its fast mode.
constexpr BoostingOptions kFast{
    .max_depth = 3, .min_child_weight = 2, .bins = true, .most_rounds = 80};

// Kinds of boosted trees.
struct Variant {
  const char* name;
  ModelFeatures features;
  BoostingOptions boosting;
};
const Variant kVariants[] = {
    {"published", ModelFeatures::kAnsor, {}},
    {"ansor", ModelFeatures::kAnsor, kFast},
    {"estimated", ModelFeatures::kEstimated, kFast},
};

// Of the fastest schedules, the share that a model should find.
constexpr double kTop = 0.1;

std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}

// Spearman's rank correlation; ties keep their order.
double RankCorrelation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = Ranks(a), y = Ranks(b);
  const double mean = (static_cast<double>(x.size()) - 1) / 2;
  double covariance = 0, variance = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - mean) * (y[i] - mean);
    variance += (x[i] - mean) * (x[i] - mean);
  }
  return variance > 0 ? covariance / variance : 0;
}

// The best measured speed among a model's top schedules, over the best of all.
double BestOfLiked(const std::vector<double>& scores, const std::vector<double>& speeds) {
  const std::vector<double> ranks = Ranks(scores);
  const double most = (1 - kTop) * static_cast<double>(scores.size());
  double best = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (ranks[i] >= most) best = std::max(best, speeds[i]);
  }
  return best / *std::max_element(speeds.begin(), speeds.end());
}

void Evaluate(const std::string& name, CostModel& model, const std::vector<MeasuredState>& known,
              const std::vector<MeasuredState>& asked, const Clock& clock) {
  const double begin = clock.Now();
  model.Learn(known);
  std::vector<StateFeatures> states;
  for (const MeasuredState& one : asked) states.emplace_back(one.state);
  const std::vector<std::optional<double>> answers = ScoresOf(model.Predict(states));
  std::vector<double> scores, speeds;
  for (size_t i = 0; i < asked.size(); ++i) {
    if (!answers[i]) continue;
    scores.push_back(*answers[i]);
    speeds.push_back(1 / *asked[i].seconds);
  }
  std::printf("  %-10s after %4zu  rank correlation %6.3f  best of the liked tenth %.3f  %.2f s\n",
              name.c_str(), known.size(), RankCorrelation(scores, speeds),
              BestOfLiked(scores, speeds), clock.Now() - begin);
}

void EvaluateTask(const std::string& workload, const std::vector<MeasuredState>& all,
                  const std::vector<size_t>& firsts, const Clock& clock) {
  std::printf("%s: %zu schedules\n", workload.c_str(), all.size());
  const std::vector<MeasuredState> rest(all.begin() + static_cast<std::ptrdiff_t>(firsts.back()),
                                        all.end());
  AnalyticalCostModel analytical;
  Evaluate("analytical", analytical, {}, rest, clock);
  for (const size_t first : firsts) {
    for (const Variant& variant : kVariants) {
      BoostedCostModel model({TrainingCadence::kAlways, variant.boosting, variant.features});
      Evaluate(variant.name, model, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first)},
               rest, clock);
    }
  }
}

void Run(const std::string& path, const std::vector<size_t>& firsts) {
  const SteadyClock clock;
  const std::unique_ptr<RecordStore> store = OpenStore(path, StoreMode::kRead);
  std::map<Key, std::vector<MeasuredState>> states;
  std::map<Key, std::shared_ptr<const Task>> tasks;
  store->ForEach([&](const Record& record) {
    if (!record.measurement.ok()) return;
    std::shared_ptr<const Task>& task = tasks[record.task->key];
    if (!task) {
      task = std::make_shared<const Task>(Task{ParseDag(record.task->dag, "record").value(),
                                               MakeTarget(ParseSpec(record.task->target).value()),
                                               record.task->workload});
    }
    Result<ScheduleState> state = ReplayText(task, record.trace);
    if (!state) return;
    const Key key = StateKey(*state);
    states[record.task->key].push_back(
        {*std::move(state), key, record.measurement.timing->seconds});
  });
  for (const auto& [key, all] : states) {
    if (all.size() > firsts.back() + 20) EvaluateTask(tasks[key]->name, all, firsts, clock);
  }
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  using namespace schedulegym;
  try {
    if (argc < 2) throw InputError("usage: model_benchmark STORE [FIRST...]");
    std::vector<size_t> firsts;
    for (int i = 2; i < argc; ++i) {
      const auto first = ParseInteger(argv[i]);
      if (!first || *first < 1)
        throw InputError(std::string("found '") + argv[i] + "', expected a number of records");
      firsts.push_back(static_cast<size_t>(*first));
    }
    if (firsts.empty()) firsts = {64, 128};
    std::sort(firsts.begin(), firsts.end());
    Run(argv[1], firsts);
    return 0;
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
