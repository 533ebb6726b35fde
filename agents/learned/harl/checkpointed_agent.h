// CheckpointedAgent: an agent that resumes from a checkpoint with the same proposals.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "agents/learned/harl/harl_model_state.h"
#include "env/measure/store/store_lock.h"

namespace schedulegym {

// An agent whose state can be kept.
class KeepableAgent : public Agent {
 public:
  // Its state, without the trials that it learned from. Called when no proposal is open.
  virtual HarlSaved State() = 0;
  // Restores a state, after the trials of that state were reported. Throws InputError.
  virtual void GoOn(const HarlSaved& saved) = 0;
  // That ended.
  virtual int64_t rounds() const = 0;
};

// Starts from the file's state, if there is one. Known trials are part of that state, or newer. For
// newer ones the agent proposes again, task by task in the order of measuring, and gets the known
// results, until it proposes a new schedule. From there on all proposals are the same as without a
// stop, if batches have the same size. Known trials that it never proposes, such as those of other
// searches, are reported last. If trials of the state are missing, it gets all known ones, and the
// rest of the state is used.
class CheckpointedAgent : public Agent {
 public:
  // Writes the file at the start, after some rounds, and at the end, each time completely or not at
  // all. The state of an interrupted call is not kept. `say` prints a line where a search cannot
  // resume exactly. Throws InputError for a file of something else, and for one that another search
  // writes, by any name.
  CheckpointedAgent(std::unique_ptr<KeepableAgent> agent, const std::string& file, int every,
                    std::function<void(const std::string&)> say = {});
  ~CheckpointedAgent() override;
  CheckpointedAgent(const CheckpointedAgent&) = delete;
  CheckpointedAgent& operator=(const CheckpointedAgent&) = delete;

  std::vector<Proposal> Propose(int task, int count) override;
  void Learn(std::span<const Trial> trials) override;
  ModelState* memory() override { return agent_->memory(); }

 private:
  using Place = std::pair<int, Key>;  // a task's schedule

  // A batch of which some results are not reported yet.
  struct Batch {
    std::vector<Trial> trials;  // in the order of proposals, reported or not
    std::map<Key, std::string> notes;
    std::set<Key> open, asked;  // not reported; of these, proposed again
  };

  std::vector<Proposal> Think(int task, int count);
  void Hear(std::span<const Trial> trials);
  void Begin();
  void Settle();
  void HearHeld();
  void Say(const std::string& line) const;
  void Replay(int count);
  void ReplayTurn(int task, int count);
  std::vector<Proposal> HandOut(Batch& batch, int count);
  std::vector<Trial> Complete(std::span<const Trial> trials);
  void Keep();
  void Write();

  std::unique_ptr<KeepableAgent> agent_;
  std::string file_;
  StoreLock lock_;
  int every_;
  std::function<void(const std::string&)> say_;
  std::optional<HarlSaved> resumed_;  // until the first proposal
  std::vector<Trial> held_;           // known, not reported yet, oldest first
  std::map<int, Batch> batches_;      // by task
  std::set<Place> open_;              // proposed, not reported
  std::vector<Place> told_;           // each once, in the order in which it heard of them
  std::set<Place> heard_;             // the same
  std::optional<HarlSaved> kept_;     // the last state, until it is written
  int64_t rounds_written_ = 0;
  bool has_begun_ = false;  // to propose
  bool is_broken_ = false;  // a thought was given up
};

}  // namespace schedulegym
