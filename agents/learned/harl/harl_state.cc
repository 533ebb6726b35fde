#include "agents/learned/harl/harl_state.h"

#include "agents/learned/checkpoint_parts.h"
#include "agents/learned/policy/ppo_checkpoint.h"
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

// The sketch and its keys; nothing where no round is to be paid for.
void PutTrial(Checkpoint& checkpoint, const std::string& name,
              const std::optional<SketchTrial>& trial) {
  Checkpoint::Words words = {{0}, {}};
  if (trial) {
    words.values.push_back(static_cast<uint64_t>(trial->sketch));
    for (const Key& key : trial->keys) {
      words.values.insert(words.values.end(), {key.high, key.low});
    }
    words.shape = {std::ssize(words.values)};
  }
  checkpoint.Put(name, std::move(words));
}

std::optional<SketchTrial> ReadTrial(const Checkpoint& checkpoint, const std::string& name,
                                     int sketches) {
  const std::vector<uint64_t>& words = checkpoint.WordsOf(name);
  if (words.empty()) return std::nullopt;
  if (words.size() % 2 == 0 || words[0] >= static_cast<uint64_t>(sketches)) {
    throw InputError("the checkpoint's '" + name + "' is no sketch and its keys");
  }
  SketchTrial trial = {static_cast<int>(words[0]), {}};
  for (size_t i = 1; i < words.size(); i += 2) trial.keys.insert({words[i], words[i + 1]});
  return trial;
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
    PutTrial(checkpoint, TaskName(i) + ".trial", choices[i].trial);
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
    choice.trial = ReadTrial(checkpoint, TaskName(i) + ".trial", sketches);
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

}  // namespace schedulegym
