#include "agents/local/flextensor_options.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "agents/common/fresh_agent.h"
#include "env/base/option_range.h"

namespace schedulegym {
namespace {

constexpr int kWarm = 400, kWarmOfNetwork = 200, kMostParts = 3, kWarmPart = 10;
// Constants of the published run.
constexpr int kLessons = 5, kReturns = 20;

// Returns the number of random places: a part of the task's budget, at most the published number.
int ReadWarm(RangedReader& ranged, const AgentContext& context, bool improved, bool has_network) {
  const std::optional<Budget>& budget = context.setup.budget;
  const int64_t tasks = std::max<int64_t>(std::ssize(context.setup.tasks), 1);
  int warm = improved ? kWarm / kWarmPart : has_network ? kWarmOfNetwork : kWarm;
  if (budget && improved) {
    warm = static_cast<int>(std::min<int64_t>(budget->trials / tasks / kWarmPart, kWarm));
  }
  warm = ranged.Integer("warm", warm, 0, 1'000'000);
  if (!budget) return warm;
  const auto most = static_cast<int>(std::min<int64_t>(budget->trials / tasks / kMostParts, warm));
  if (most < warm && context.say) {
    context.say("agent flextensor: warm=" + std::to_string(warm) + " is above a third of the " +
                "trials of a task; " + std::to_string(most) + " are drawn");
  }
  return most;
}

DirectionsOptions ReadDirections(SpecReader& reader, RangedReader& ranged, bool improved) {
  DirectionsOptions directions;
  directions.discount = ranged.Number("discount", directions.discount, 0, 1);
  directions.epochs = ranged.Integer("epochs", improved ? directions.epochs : 20, 1, 10'000);
  directions.is_double = reader.Flag("double", improved);
  directions.has_adadelta = reader.Choice("optimizer", improved ? "adam" : "adadelta",
                                          {"adam", "adadelta"}) == "adadelta";
  directions.rate = ranged.Number("rate", directions.has_adadelta ? 0.02 : 1e-3, 1e-9, 10);
  return directions;
}

// Reads `cadence`: by turns, or by parts of the trials of a task if there is a budget.
void ReadCadence(SpecReader& reader, const AgentContext& context, FlextensorOptions& options) {
  const bool by_trials = reader.Choice("cadence", options.improved ? "turns" : "trials",
                                       {"turns", "trials"}) == "trials";
  if (!by_trials || !context.setup.budget) return;
  const int64_t tasks = std::max<int64_t>(std::ssize(context.setup.tasks), 1);
  const int64_t trials = context.setup.budget->trials / tasks;
  options.lesson = static_cast<int>(std::clamp<int64_t>(trials / kLessons, 1, 1'000'000));
  options.absence = static_cast<int>(std::clamp<int64_t>(trials / kReturns, 1, 1'000'000));
}

}  // namespace

FlextensorOptions ReadFlextensorOptions(SpecReader& reader, const AgentContext& context) {
  RangedReader ranged(reader, kFlextensor);
  FlextensorOptions options;
  options.improved = reader.Choice("mode", "improved", {"improved", "faithful"}) == "improved";
  const bool improved = options.improved;
  const std::string method = reader.Choice("method", "p", {"p", "random", "q"});
  options.method = method == "p"   ? FlextensorMethod::kP
                   : method == "q" ? FlextensorMethod::kQ
                                   : FlextensorMethod::kRandom;
  options.warm = ReadWarm(ranged, context, improved, options.method == FlextensorMethod::kQ);
  options.gamma = ranged.Number("gamma", options.gamma, 0, 1e6);
  options.parallel = ranged.Integer("parallel", options.parallel, 1, 100'000);
  options.moves = ranged.Integer("moves", improved ? 16 : 0, 0, 1'000'000);
  options.retires = reader.Flag("retire", true);
  options.stop = ranged.Integer("stop", improved ? 0 : 15, 0, 1'000'000);
  options.change = ranged.Number("change", options.change, 0, 1e6);
  ReadCadence(reader, context, options);
  if (options.method != FlextensorMethod::kQ) return options;
  options.pays_logarithm =
      reader.Choice("reward", improved ? "log" : "tanh", {"log", "tanh"}) == "log";
  options.epsilon = ranged.Number("epsilon", options.epsilon, 0, 1);
  options.decay = ranged.Number("decay", options.decay, 0, 1e6);
  options.floor = ranged.Number("floor", options.floor, 0, 1);
  options.directions = ReadDirections(reader, ranged, improved);
  return options;
}

double FlextensorAcceptance(double seconds, double best, double gamma) {
  return std::exp(-gamma * (seconds - best) / best);
}

double FlextensorEpsilon(double epsilon, double decay, double floor, int turn) {
  return std::max(epsilon * std::exp(-decay * turn), floor);
}

double FlextensorReward(double from, double to) { return std::tanh(std::max(from - to, 0.0)); }

bool AsksForDirections(const AgentContext& context) {
  SpecReader reader(context.setup.agent, "agent");
  AgentContext quiet = context;
  quiet.say = {};
  const FlextensorOptions options = ReadFlextensorOptions(reader, quiet);
  ReadRetries(reader, kFlextensor);
  reader.Finish();
  return options.method == FlextensorMethod::kQ;
}

}  // namespace schedulegym
