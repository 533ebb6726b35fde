// CheckpointedAgent: an agent that goes on from a checkpoint as if it had never been stopped.
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
  // All that it goes by, but for what it was told. Asked when no proposal is open.
  virtual HarlSaved State() = 0;
  // Makes it what it was, where it was told what that one was. Throws InputError.
  virtual void GoOn(const HarlSaved& saved) = 0;
  // That ended.
  virtual int64_t rounds() const = 0;
};

// Begins with the file's state, if there is one. What is known then was told before it was written,
// or it is newer: the agent is asked again for what that was, task by task in the order in which it
// was measured, and told what is known, until it proposes what is not: from there on all is to the
// bit as it would have been, if it is asked for as many at once. What it never proposes, other
// searches have measured, and it hears of that last. Nothing is lost where what the state was told
// is not known any more: then it is told all that is, and goes by the rest of the state.
class CheckpointedAgent : public Agent {
 public:
  // The file is written at first, after so many rounds, and at the end, whole or not at all; a
  // state that a thought was broken off in is not kept. `say` hears a line where a search cannot go
  // on to the bit. Throws InputError for a file of something else, and
  // for one that another search writes, by whatever name.
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

  // What was asked for at once, of which something is not told yet.
  struct Batch {
    std::vector<Trial> trials;  // as they were proposed, told or not
    std::map<Key, std::string> notes;
    std::set<Key> open, asked;  // that are not told; of these, that were handed out
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
  std::optional<HarlSaved> resumed_;  // until it is first asked
  std::vector<Trial> held_;           // known, not told yet, oldest first
  std::map<int, Batch> batches_;      // by task
  std::set<Place> open_;              // proposed, not told of
  std::vector<Place> told_;           // each once, in the order in which it heard of them
  std::set<Place> heard_;             // the same
  std::optional<HarlSaved> kept_;     // the last state, until it is written
  int64_t rounds_written_ = 0;
  bool has_begun_ = false;  // to propose
  bool is_broken_ = false;  // a thought was given up
};

}  // namespace schedulegym
