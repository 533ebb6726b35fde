#include "agents/schedulers/gradient_options.h"

#include <algorithm>
#include <limits>
#include <string>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr int64_t kMaxWindow = 1'000'000;
constexpr double kMaxBeta = 1e9;

[[noreturn]] void Refuse(const std::string& message) {
  throw InputError("scheduler 'gradient': " + message);
}

double NumberIn(SpecReader& reader, const std::string& key, double value, double low, double high) {
  const double number = reader.Number(key, value);
  if (number >= low && number <= high) return number;
  Refuse("key '" + key + "' is " + FormatDouble(number) + ", expected a number from " +
         FormatDouble(low) + " to " + FormatDouble(high));
}

int64_t IntegerIn(SpecReader& reader, const std::string& key, int64_t value, int64_t low,
                  int64_t high = std::numeric_limits<int64_t>::max()) {
  const int64_t number = reader.Integer(key, value);
  if (number >= low && number <= high) return number;
  Refuse("key '" + key + "' is " + std::to_string(number) + ", expected an integer of at " +
         (number < low ? "least " + std::to_string(low) : "most " + std::to_string(high)));
}

ObjectiveKind ReadObjective(SpecReader& reader) {
  const std::string word =
      reader.Choice("objective", "latency", {"latency", "requirement", "speedup"});
  if (word == "requirement") return ObjectiveKind::kRequirement;
  return word == "speedup" ? ObjectiveKind::kSpeedup : ObjectiveKind::kLatency;
}

double SecondsOf(std::string_view word) {
  const std::optional<double> seconds = ParseDouble(word);
  if (seconds && *seconds > 0 && *seconds <= std::numeric_limits<double>::max()) return *seconds;
  Refuse("key 'requirement' is '" + std::string(word) + "', expected seconds above 0");
}

// As written; none where the key is absent.
std::vector<double> ReadSeconds(const Spec& spec, SpecReader& reader) {
  const auto option =
      std::find_if(spec.options.begin(), spec.options.end(),
                   [](const SpecOption& each) { return each.key == "requirement"; });
  const bool is_text =
      option != spec.options.end() && std::holds_alternative<std::string>(option->value.value);
  if (!is_text) {
    const double number = reader.Number("requirement", 0);
    if (option == spec.options.end()) return {};
    return {SecondsOf(FormatDouble(number))};
  }
  std::string text = reader.Word("requirement", "");
  std::replace(text.begin(), text.end(), ',', ' ');
  std::vector<double> all;
  for (std::string_view rest = Trim(text); !rest.empty();) {
    const auto [word, tail] = Cut(rest, ' ');
    all.push_back(SecondsOf(word));
    rest = Trim(tail);
  }
  return all;
}

std::vector<double> ReadRequirements(const Spec& spec, SpecReader& reader, ObjectiveKind objective,
                                     size_t networks) {
  std::vector<double> seconds = ReadSeconds(spec, reader);
  if (objective != ObjectiveKind::kRequirement) {
    if (!seconds.empty()) Refuse("key 'requirement' is given, expected objective=requirement, too");
    return {};
  }
  if (seconds.empty()) {
    Refuse("key 'requirement' is missing, expected the seconds that a network may take");
  }
  if (seconds.size() == 1) seconds.resize(networks, seconds[0]);
  if (seconds.size() != networks) {
    Refuse("key 'requirement' has " + std::to_string(seconds.size()) +
           " numbers, expected one, or one for each of " + std::to_string(networks) + " networks");
  }
  return seconds;
}

}  // namespace

GradientOptions ReadGradientOptions(const Spec& spec, size_t networks) {
  SpecReader reader(spec, "scheduler");
  GradientOptions options;
  const bool is_faithful = reader.Choice("mode", "fixed", {"fixed", "faithful"}) == "faithful";
  options.alpha = NumberIn(reader, "alpha", options.alpha, 0, 1);
  options.beta = NumberIn(reader, "beta", options.beta, 1, kMaxBeta);
  options.window = static_cast<int>(IntegerIn(reader, "window", options.window, 1, kMaxWindow));
  options.objective = ReadObjective(reader);
  options.requirements = ReadRequirements(spec, reader, options.objective, networks);
  options.epsilon = NumberIn(reader, "epsilon", options.epsilon, 0, 1);
  options.task_patience = IntegerIn(reader, "task_patience", options.task_patience, 0);
  options.patience = IntegerIn(reader, "patience", options.patience, 0);
  const std::string history = is_faithful ? "one" : "all";
  options.whole_history = reader.Choice("history", history, {"all", "one"}) == "all";
  options.model = reader.Word("model", "");
  reader.Finish();
  return options;
}

}  // namespace schedulegym
