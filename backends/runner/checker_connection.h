// CheckerConnection: the front's end of a checker, one question at a time; a dead checker is
// replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/verify_messages.h"
#include "env/base/clock.h"
#include "env/ipc/event_loop.h"

namespace schedulegym {

struct CheckerAnswer {
  bool is_gone = false;  // it ended before it answered; `message` says how
  std::string refusal;   // kind of a RefusedReply, "" for none; `message` is its message
  std::string message;
  std::string payload;  // of the reply
};

using TimingFunction = std::function<void(const TimingNotice&)>;

class CheckerConnection {
 public:
  CheckerConnection(EventLoop& loop, std::string program)
      : loop_(loop), program_(std::move(program)) {}

  // Sends a question; legal when there is none that waits for its answer.
  void Ask(MessageType type, const std::string& payload);
  bool is_busy() const { return is_busy_; }

  // The answer, once it is there; to be called after every EventLoop::Wait. `timing` is called when
  // a kernel is about to be timed and when that is over.
  std::optional<CheckerAnswer> Attend(const TimingFunction& timing);

  // Ends the checker, of which is known what `message` says; that is the answer.
  CheckerAnswer GiveUp(const std::string& message);

 private:
  CheckerAnswer Reap();
  CheckerAnswer AnswerOf(Frame frame) const;

  EventLoop& loop_;
  std::string program_;
  std::unique_ptr<WorkerLink> link_;
  uint64_t last_id_ = 0;
  bool is_busy_ = false;
};

// A checker with what it has prepared, asked one question at a time.
class WorkerSession {
 public:
  // A checker that is silent for `most_seconds` is ended and replaced. Loop and clock outlive it.
  WorkerSession(EventLoop& loop, const std::string& program, const Clock& clock,
                double most_seconds)
      : checker_(loop, program), clock_(clock), most_seconds_(most_seconds) {}

  // May be asked: there is no question, and no answer that nobody has taken.
  bool is_idle() const { return !checker_.is_busy() && !said_; }
  bool Has(const std::string& key) const { return prepared_.contains(key); }
  // It said that it has not.
  void Forget(const std::string& key) { prepared_.erase(key); }

  void Ask(MessageType type, const std::string& payload);
  // Has it, once the checker answers without an error; the answer is taken like any other.
  void AskToPrepare(const PrepareRequest& request);

  // Nobody waits for its answer: a checker that is at work ends, and what it has prepared with it.
  void GiveUp();

  // To be called after every EventLoop::Wait; as CheckerConnection::Attend. Whether an answer came.
  bool Attend(const TimingFunction& timing);

  // What is prepared by the answer that waits to be taken, or was asked to be.
  const std::optional<std::string>& preparing() const { return preparing_; }
  bool has_answer() const { return said_.has_value(); }
  CheckerAnswer Take();

 private:
  CheckerConnection checker_;
  const Clock& clock_;
  double most_seconds_;
  double asked_at_ = 0;
  std::set<std::string> prepared_;  // keys
  std::optional<std::string> preparing_;
  std::optional<CheckerAnswer> said_;  // to the last question, not yet taken
};

}  // namespace schedulegym
