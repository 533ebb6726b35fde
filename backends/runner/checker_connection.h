// CheckerConnection: the front's link to a checker, one request at a time; replaces a dead one.
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
  bool is_gone = false;  // it ended before it replied; `message` says how
  std::string refusal;   // kind of a RefusedReply, "" for none; `message` is its message
  std::string message;
  std::string payload;  // of the reply
};

using TimingFunction = std::function<void(const TimingNotice&)>;

class CheckerConnection {
 public:
  CheckerConnection(EventLoop& loop, std::string program)
      : loop_(loop), program_(std::move(program)) {}

  // Sends a request. Legal only while no request is waiting for its reply.
  void Ask(MessageType type, const std::string& payload);
  bool is_busy() const { return is_busy_; }

  // The reply; nullopt until it has arrived. Call it after every EventLoop::Wait. `timing` is
  // called before a kernel is timed and afterwards.
  std::optional<CheckerAnswer> Attend(const TimingFunction& timing);

  // Ends the checker. Returns an answer with `message` as its reason.
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

// A checker and its prepared tasks; takes one request at a time.
class WorkerSession {
 public:
  // Replaces a checker that is silent for `most_seconds`. Loop and clock outlive the session.
  WorkerSession(EventLoop& loop, const std::string& program, const Clock& clock,
                double most_seconds)
      : checker_(loop, program), clock_(clock), most_seconds_(most_seconds) {}

  // Whether Ask may be called: no request is pending, and no answer waits for Take.
  bool is_idle() const { return !checker_.is_busy() && !said_; }
  bool Has(const std::string& key) const { return prepared_.contains(key); }
  // Call it after the checker replied that it lacks `key`.
  void Forget(const std::string& key) { prepared_.erase(key); }

  void Ask(MessageType type, const std::string& payload);
  // Requests a preparation. After a reply without an error Has(request.key) is true. The answer
  // must be taken like any other.
  void AskToPrepare(const PrepareRequest& request);

  // Drops the pending request: a checker that works on one is ended and loses its prepared tasks.
  void GiveUp();

  // Call it after every EventLoop::Wait; as CheckerConnection::Attend. Whether an answer came.
  bool Attend(const TimingFunction& timing);

  // Key of the pending preparation, or of the one whose answer waits for Take.
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
  std::optional<CheckerAnswer> said_;  // to the last request, not yet taken
};

}  // namespace schedulegym
