// CheckerLink: the front's end of a checker, one question at a time; a dead checker is replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/timing_notice.h"
#include "env/ipc/event_loop.h"

namespace schedulegym {

struct CheckerAnswer {
  bool is_gone = false;  // it ended before it answered; `message` says how
  std::string refusal;   // kind of a RefusedReply, "" for none; `message` is its message
  std::string message;
  std::string payload;  // of the reply
};

using TimingFunction = std::function<void(const TimingNotice&)>;

class CheckerLink {
 public:
  CheckerLink(EventLoop& loop, std::string program) : loop_(loop), program_(std::move(program)) {}

  // Sends a question; legal when there is none that waits for its answer.
  void Ask(MessageType type, const std::string& payload);
  bool is_busy() const { return is_busy_; }

  // The answer, once it is there; to be called after every EventLoop::Wait. `timing` is called when
  // a kernel is about to be timed and when that is over.
  std::optional<CheckerAnswer> Attend(const TimingFunction& timing);

  // Ends the checker, of which is known what `message` says; that is the answer.
  CheckerAnswer GiveUp(const std::string& message);

 private:
  CheckerAnswer Bury();
  CheckerAnswer AnswerOf(Frame frame) const;

  EventLoop& loop_;
  std::string program_;
  std::unique_ptr<WorkerLink> link_;
  uint64_t last_id_ = 0;
  bool is_busy_ = false;
};

}  // namespace schedulegym
