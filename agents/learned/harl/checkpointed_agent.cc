// Lets an agent continue from a checkpoint after it was killed, with the same proposals. A
// checkpoint is taken when no proposal is open, and lists the agent's trials. On resuming:
// 1. the trials in the checkpoint are reported again, in its order, and its state is restored;
// 2. later trials, in order of their start, are replayed: the agent proposes again, and the
//    proposals are matched with them by key;
// 3. a batch with results for a part of it proposes the rest.
// If the store lacks trials of the checkpoint, the model learns anew and a line reports it.
#include "agents/learned/harl/checkpointed_agent.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "env/base/fault.h"
#include "env/base/output_file.h"

namespace schedulegym {
namespace {

// Returns true for a path that cannot be examined: reading it then gives the error.
bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error) || error;
}

std::string CheckpointFileOf(const std::string& path) {
  std::error_code error;
  std::string file = FollowLinks(path, error);
  if (!error) return file;
  throw InputError("cannot open checkpoint '" + path + "': " + error.message());
}

constexpr const char* kTold = "told";
constexpr size_t kWordsOfPlace = 3;
// The agent's process ends shortly after the program that was killed.
constexpr double kPatienceSeconds = 2;

using Place = std::pair<int, Key>;

Place PlaceOf(const Trial& trial) { return {trial.task, trial.key}; }

void PutTold(Checkpoint& checkpoint, const std::vector<Place>& told) {
  Checkpoint::Words words;
  for (const auto& [task, key] : told) {
    words.values.insert(words.values.end(), {static_cast<uint64_t>(task), key.high, key.low});
  }
  words.shape = {std::ssize(words.values)};
  checkpoint.Put(kTold, std::move(words));
}

std::vector<Place> ReadTold(const Checkpoint& checkpoint) {
  const std::vector<uint64_t>& words = checkpoint.WordsOf(kTold);
  if (words.size() % kWordsOfPlace != 0) {
    throw InputError("the checkpoint's 'told' are no tasks and keys");
  }
  std::vector<Place> told;
  for (size_t i = 0; i < words.size(); i += kWordsOfPlace) {
    told.push_back({static_cast<int>(words[i]), {words[i + 1], words[i + 2]}});
  }
  return told;
}

}  // namespace

CheckpointedAgent::CheckpointedAgent(std::unique_ptr<KeepableAgent> agent, const std::string& file,
                                     int every, std::function<void(const std::string&)> say)
    : agent_(std::move(agent)),
      file_(CheckpointFileOf(file)),
      lock_(file_, "checkpoint", kPatienceSeconds),
      every_(every),
      say_(std::move(say)) {
  if (!Exists(file_)) return;
  resumed_ = ReadHarlFile(file_);
  agent_->GoOn(*resumed_);
  if (resumed_->checkpoint.Has(kTold)) ReadTold(resumed_->checkpoint);
}

CheckpointedAgent::~CheckpointedAgent() {
  try {
    Write();
  } catch (const InputError&) {  // the last checkpoint stays, and a destructor cannot report
  }
}

std::vector<Proposal> CheckpointedAgent::Propose(int task, int count) {
  if (resumed_) Settle();
  if (!std::exchange(has_begun_, true)) Begin();
  if (!held_.empty()) Replay(count);
  const auto batch = batches_.find(task);
  if (batch != batches_.end()) {
    std::vector<Proposal> rest = HandOut(batch->second, count);
    if (!rest.empty()) return rest;
  }
  std::vector<Proposal> proposals = Think(task, count);
  for (const Proposal& proposal : proposals) open_.insert({task, proposal.key});
  return proposals;
}

// Results from before the first proposal need no replay.
void CheckpointedAgent::Begin() {
  if (Exists(file_)) return;
  Keep();
  Write();
}

std::vector<Proposal> CheckpointedAgent::Think(int task, int count) {
  try {
    return agent_->Propose(task, count);
  } catch (...) {
    is_broken_ = true;
    throw;
  }
}

void CheckpointedAgent::Learn(std::span<const Trial> trials) {
  if (resumed_) {
    std::ranges::copy(trials, std::back_inserter(held_));
    return;
  }
  Hear(Complete(trials));
  const bool is_over = std::ranges::any_of(
      trials, [](const Trial& trial) { return trial.told == TrialStatus::kNotReached; });
  if (has_begun_ && !is_over && !is_broken_ && open_.empty() && batches_.empty()) Keep();
}

void CheckpointedAgent::Hear(std::span<const Trial> trials) {
  for (const Trial& trial : trials) {
    open_.erase(PlaceOf(trial));
    const bool is_new = RecordToLearnFrom(trial) != nullptr && heard_.insert(PlaceOf(trial)).second;
    if (is_new) told_.push_back(PlaceOf(trial));
  }
  agent_->Learn(trials);
}

// Gives the agent the trials of the checkpoint, in its order; later ones wait in held_.
void CheckpointedAgent::Settle() {
  const HarlSaved resumed = *std::exchange(resumed_, std::nullopt);
  if (!resumed.checkpoint.Has(kTold)) return HearHeld();  // of an earlier version
  std::map<Place, size_t> known;
  for (size_t i = 0; i < held_.size(); ++i) known.emplace(PlaceOf(held_[i]), i);
  std::vector<Trial> told, newer;
  const std::vector<Place> places = ReadTold(resumed.checkpoint);
  for (const Place& place : places) {
    const auto found = known.find(place);
    if (found == known.end()) {
      Say("not all that '" + file_ + "' was told is known: trees learn anew");
      return HearHeld();
    }
    told.push_back(held_[found->second]);
  }
  const std::set<Place> were_told(places.begin(), places.end());
  for (Trial& trial : held_) {
    if (!were_told.contains(PlaceOf(trial))) newer.push_back(std::move(trial));
  }
  held_ = std::move(newer);
  std::ranges::stable_sort(held_, {}, [](const Trial& trial) { return trial.record->started; });
  Hear(told);
  agent_->GoOn(resumed);
}

void CheckpointedAgent::Say(const std::string& line) const {
  if (say_) say_("agent harl: " + line);
}

void CheckpointedAgent::HearHeld() { Hear(std::exchange(held_, {})); }

void CheckpointedAgent::Replay(int count) {
  while (!held_.empty() && batches_.empty()) ReplayTurn(held_.front().task, count);
  if (!held_.empty()) HearHeld();
}

// Proposes again, and reports the results if all are known.
void CheckpointedAgent::ReplayTurn(int task, int count) {
  Batch batch;
  for (Proposal& proposal : Think(task, count)) {
    const auto known = std::ranges::find_if(
        held_, [&](const Trial& trial) { return trial.task == task && trial.key == proposal.key; });
    if (known != held_.end()) {
      batch.trials.push_back(*known);
      batch.trials.back().state = std::move(proposal.state);
      held_.erase(known);
      continue;
    }
    batch.open.insert(proposal.key);
    batch.trials.push_back(
        {task, std::move(proposal.state), proposal.key, TrialStatus::kNotReached, nullptr});
    batch.notes.emplace(proposal.key, std::move(proposal.note));
  }
  if (batch.trials.empty()) return HearHeld();
  if (batch.open.empty()) return Hear(batch.trials);
  batches_.emplace(task, std::move(batch));
}

// Returns the trials that are neither reported nor proposed yet.
std::vector<Proposal> CheckpointedAgent::HandOut(Batch& batch, int count) {
  std::vector<Proposal> rest;
  for (const Trial& trial : batch.trials) {
    if (std::ssize(rest) == count) break;
    if (!batch.open.contains(trial.key) || !batch.asked.insert(trial.key).second) continue;
    rest.push_back({trial.state, trial.key, batch.notes.at(trial.key)});
  }
  return rest;
}

// Removes trials of an incomplete batch, and adds all trials of one that is now complete.
std::vector<Trial> CheckpointedAgent::Complete(std::span<const Trial> trials) {
  std::vector<Trial> whole;
  for (const Trial& trial : trials) {
    const auto found = batches_.find(trial.task);
    if (found == batches_.end() || found->second.open.erase(trial.key) == 0) {
      whole.push_back(trial);
      continue;
    }
    Batch& batch = found->second;
    *std::ranges::find(batch.trials, trial.key, &Trial::key) = trial;
    if (!batch.open.empty()) continue;
    std::ranges::move(batch.trials, std::back_inserter(whole));
    batches_.erase(found);
  }
  return whole;
}

void CheckpointedAgent::Keep() {
  kept_ = agent_->State();
  PutTold(kept_->checkpoint, told_);
  if (agent_->rounds() - rounds_written_ >= every_) Write();
}

void CheckpointedAgent::Write() {
  if (!kept_) return;
  WriteHarlFile(file_, *kept_);
  kept_.reset();
  rounds_written_ = agent_->rounds();
}

}  // namespace schedulegym
