// Writes harl's state to a checkpoint and reads it: policies by task and sketch, bandits, random
// states, and open trials of sketches. Resuming needs the same policy kind, space and tasks;
// starting from a checkpoint needs only the same policy kind, and takes its first policy. A
// sketch's reward is the best speed among its trials of the round over the best so far, 0 without a
// success. Errors: InputError.
#include "agents/learned/harl/harl_state.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "agents/learned/checkpoint_parts.h"
#include "agents/learned/policy/ppo.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

std::string PolicyName(const std::pair<int, int>& which) {
  return "policy." + std::to_string(which.first) + "." + std::to_string(which.second);
}

std::string TaskName(size_t task) { return "task." + std::to_string(task); }

void CheckText(const Checkpoint& checkpoint, const std::string& name, const std::string& expected) {
  const std::string& found = checkpoint.Text(name);
  if (found == expected) return;
  throw InputError("the checkpoint is of another " + name + ": found " + found + ", expected " +
                   expected);
}

// Writes for each trial its sketch, its number of keys, and the keys.
void PutTrials(Checkpoint& checkpoint, const std::string& name,
               const std::vector<SketchTrial>& trials) {
  Checkpoint::Words words;
  for (const SketchTrial& trial : trials) {
    words.values.push_back(static_cast<uint64_t>(trial.sketch));
    words.values.push_back(trial.keys.size());
    for (const Key& key : trial.keys) {
      words.values.insert(words.values.end(), {key.high, key.low});
    }
  }
  words.shape = {std::ssize(words.values)};
  checkpoint.Put(name, std::move(words));
}

[[noreturn]] void RefuseTrial(const std::string& name) {
  throw InputError("the checkpoint's '" + name + "' is no sketch and its keys");
}

SketchTrial ReadTrial(const std::string& name, uint64_t sketch, std::span<const uint64_t> keys,
                      int sketches) {
  if (keys.size() % 2 != 0 || sketch >= static_cast<uint64_t>(sketches)) RefuseTrial(name);
  SketchTrial trial = {static_cast<int>(sketch), {}};
  for (size_t i = 0; i < keys.size(); i += 2) trial.keys.insert({keys[i], keys[i + 1]});
  return trial;
}

std::vector<SketchTrial> ReadTrials(const Checkpoint& checkpoint, const std::string& task,
                                    int sketches) {
  std::vector<SketchTrial> trials;
  const bool is_earlier = !checkpoint.Has(task + ".trials");  // rounds of one sketch
  const std::string name = task + (is_earlier ? ".trial" : ".trials");
  const std::span<const uint64_t> words = checkpoint.WordsOf(name);
  if (is_earlier && !words.empty()) {
    trials.push_back(ReadTrial(name, words[0], words.subspan(1), sketches));
  }
  if (is_earlier) return trials;
  for (size_t next = 0; next < words.size();) {
    const std::span<const uint64_t> rest = words.subspan(next);
    if (rest.size() < 2 || rest[1] > (rest.size() - 2) / 2) RefuseTrial(name);
    const std::span<const uint64_t> keys = rest.subspan(2, static_cast<size_t>(2 * rest[1]));
    trials.push_back(ReadTrial(name, rest[0], keys, sketches));
    next += 2 + keys.size();
  }
  return trials;
}

}  // namespace

Checkpoint SaveHarl(const HarlIdentity& identity, const std::vector<SketchChoice>& choices,
                    const TrackPolicies& policies) {
  Checkpoint checkpoint;
  checkpoint.Put("policy", identity.policy);
  checkpoint.Put("search", identity.search);
  checkpoint.Put("tasks", Join(identity.tasks, " "));
  PutShape(checkpoint, identity.shape);
  for (size_t i = 0; i < choices.size(); ++i) {
    PutBandit(checkpoint, TaskName(i), choices[i].bandit);
    PutRng(checkpoint, TaskName(i) + ".rng", choices[i].rng);
    PutTrials(checkpoint, TaskName(i) + ".trials", choices[i].trials);
  }
  Checkpoint::Words which = {{2 * std::ssize(policies)}, {}};
  for (const auto& [place, policy] : policies) {
    which.values.push_back(static_cast<uint64_t>(place.first));
    which.values.push_back(static_cast<uint64_t>(place.second));
    PutPpo(checkpoint, PolicyName(place), policy.ppo);
    PutNormaliser(checkpoint, PolicyName(place) + ".inputs", policy.inputs);
  }
  checkpoint.Put("policies", std::move(which));
  return checkpoint;
}

namespace {

std::vector<std::pair<int, int>> PlacesOf(const Checkpoint& checkpoint) {
  const std::vector<uint64_t>& which = checkpoint.WordsOf("policies");
  std::vector<std::pair<int, int>> places;
  for (size_t i = 0; i + 1 < which.size(); i += 2) {
    constexpr uint64_t kMost = 1'000'000;
    if (which[i] > kMost || which[i + 1] > kMost) break;
    places.emplace_back(static_cast<int>(which[i]), static_cast<int>(which[i + 1]));
  }
  if (2 * places.size() == which.size()) return places;
  throw InputError("the checkpoint's 'policies' are no pairs of a task and a sketch");
}

void ReadInputs(const Checkpoint& checkpoint, const std::string& name, TrackPolicy& policy) {
  policy.inputs =
      ReadNormaliser(checkpoint, name + ".inputs", policy.inputs.columns(), policy.inputs.limit());
}

}  // namespace

void ResumeHarl(const Checkpoint& checkpoint, const HarlIdentity& identity,
                std::vector<SketchChoice>& choices,
                const std::function<TrackPolicy&(int task, int sketch)>& policy_of) {
  SG_CHECK(choices.size() == identity.tasks.size(), "a choice for each task");
  CheckText(checkpoint, "policy", identity.policy);
  CheckText(checkpoint, "search", identity.search);
  CheckText(checkpoint, "tasks", Join(identity.tasks, " "));
  for (size_t i = 0; i < choices.size(); ++i) {
    SketchChoice& choice = choices[i];
    const int sketches = choice.bandit.arms();
    choice.bandit = ReadBandit(checkpoint, TaskName(i), sketches, choice.bandit.options());
    choice.rng = ReadRng(checkpoint, TaskName(i) + ".rng");
    choice.trials = ReadTrials(checkpoint, TaskName(i), sketches);
  }
  for (const std::pair<int, int>& place : PlacesOf(checkpoint)) {
    const auto& [task, sketch] = place;
    if (task >= std::ssize(choices) || sketch >= choices[task].bandit.arms()) {
      throw InputError("the checkpoint has a policy of task " + std::to_string(task) + ", sketch " +
                       std::to_string(sketch) + ", which there is not");
    }
    TrackPolicy& policy = policy_of(task, sketch);
    ResumePpo(checkpoint, PolicyName(place), policy.ppo);
    ReadInputs(checkpoint, PolicyName(place), policy);
  }
}

void StartFrom(const Checkpoint& checkpoint, const HarlIdentity& identity, TrackPolicy& policy) {
  CheckText(checkpoint, "policy", identity.policy);
  const std::vector<std::pair<int, int>> places = PlacesOf(checkpoint);
  if (places.empty()) throw InputError("the checkpoint has no policy yet");
  ReadPolicy(checkpoint, PolicyName(places[0]), policy.ppo);
  ReadInputs(checkpoint, PolicyName(places[0]), policy);
}

std::vector<int> ChooseSketches(SketchChoice& choice, int count, bool by_bandit) {
  std::vector<int> open(static_cast<size_t>(choice.bandit.arms())), chosen;
  std::iota(open.begin(), open.end(), 0);
  while (std::ssize(chosen) < count && !open.empty()) {
    const int next = by_bandit ? *choice.bandit.Choose(open)
                               : open[static_cast<size_t>(choice.rng.Below(std::ssize(open)))];
    chosen.push_back(next);
    std::erase(open, next);
  }
  return chosen;
}

void NoteProposal(SketchChoice& choice, int sketch, const Key& key) {
  auto place = std::ranges::find(choice.trials, sketch, &SketchTrial::sketch);
  if (place == choice.trials.end()) place = choice.trials.insert(place, {sketch, {}});
  place->keys.insert(key);
}

void PaySketches(SketchChoice& choice, const SearchModelState& memory) {
  std::optional<double> best;
  for (const auto& [key, measured] : memory.measured) {
    best = std::max(best.value_or(0), 1 / *measured.seconds);
  }
  for (const SketchTrial& trial : choice.trials) {
    std::optional<double> best_of_round;
    for (const Key& key : trial.keys) {
      const auto found = memory.measured.find(key);
      if (found == memory.measured.end()) continue;
      best_of_round = std::max(best_of_round.value_or(0), 1 / *found->second.seconds);
    }
    choice.bandit.Learn(trial.sketch, SketchReward(best_of_round, best));
  }
  choice.trials.clear();
}

}  // namespace schedulegym
