// The text of a network's episode: lines "key value". Replay repeats the actions.
#include <utility>

#include "agents/network/network_environment.h"
#include "agents/schedulers/simulation/curve_file.h"
#include "env/base/hash.h"
#include "env/base/text.h"
#include "env/gym/episode_lines.h"

namespace schedulegym {
namespace {

constexpr std::string_view kVersion = "1";

Error NotRepeatable() {
  return {ErrorKind::kIllegal,
          "found an episode of measured times, expected one whose actions lead to the same again"};
}

}  // namespace

// Returns everything that determines the results of actions.
std::string NetworkEnvironment::Options() const {
  Hasher hasher;
  for (const NetworkTask& task : parts_->tasks) {
    hasher.Add(task.task ? TaskKey(*task.task).ToText() : task.name);
    hasher.Add(FormatDouble(task.weight));
  }
  if (!parts_->curves.empty()) hasher.Add(CurveText(parts_->curves));
  const std::vector<int64_t> numbers = {parts_->slots, parts_->batch, parts_->warm_up ? 1 : 0};
  const std::string chosen = hasher.KeyValue().ToText() + " " + Join(numbers, ",");
  if (!parts_->curves.empty()) return chosen + " curves";
  return chosen + " " + parts_->space->Name() + " " + parts_->agent.ToText();
}

Result<std::string> NetworkEnvironment::ToText() const {
  if (has_begun() && !parts_->repeats) return NotRepeatable();
  const std::string text = "network 1\noptions " + Options() + "\nrng " +
                           RngText(has_begun() ? begin_ : rng_) + "\nbegun " +
                           (has_begun() ? "1" : "0") + "\n";
  if (!has_begun()) return text;
  return text + "actions " + Join(std::vector<int64_t>(actions_.begin(), actions_.end()), ",") +
         "\n";
}

Result<void> NetworkEnvironment::Resume(std::string_view text) {
  EpisodeLines lines(text);
  const std::string_view version = lines.Next("network");
  if (version != kVersion) lines.Refuse("network", version, std::string(kVersion));
  const std::string_view options = lines.Next("options");
  if (options != Options()) lines.Refuse("options", options, Options());
  const std::string_view words = lines.Next("rng");
  const std::optional<Rng> rng = ParseRng(words);
  if (!rng) lines.Refuse("rng", words, "four numbers");
  const bool begun = lines.Number("begun", 1) == 1;
  std::vector<int> actions;
  if (begun) actions = ReadActions(lines, action_count(), parts_->slots);
  for (size_t i = 0; i + 1 < actions.size(); ++i) {
    if (actions[i] == kStopAction) lines.Refuse("action", "0", "it at the end alone");
  }
  if (lines.fault()) return *lines.fault();
  if (begun && !parts_->repeats) return NotRepeatable();
  rng_ = *rng;
  episode_.reset();
  if (begun) Reset();
  for (size_t i = 0; i < actions.size() && has_begun(); ++i) Step(actions[i]);
  return {};
}

}  // namespace schedulegym
