// CheckerLink: the front's end of the checker, one question at a time; a dead checker is replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "backends/runner/process/event_loop.h"
#include "backends/runner/wire/messages.h"
#include "env/base/clock.h"

namespace schedulegym {

struct CheckerAnswer {
  bool is_gone = false;  // it ended before it answered; `message` says how
  std::string refusal;   // kind of a RefusedReply, "" for none; `message` is its message
  std::string message;
  std::string payload;  // of the reply
};

class CheckerLink {
 public:
  CheckerLink(EventLoop& loop, std::string program, const Clock& clock)
      : loop_(loop), program_(std::move(program)), clock_(clock) {}

  // Waits for the answer; `attend` is called whenever something else may have happened and answers
  // after how many seconds at most it wants to be called again, `timing` when a kernel that uses
  // all cores is about to be timed and when that is over.
  CheckerAnswer Ask(MessageType type, const std::string& payload,
                    const std::function<double()>& attend, const std::function<void(bool)>& timing);

 private:
  CheckerAnswer Bury();
  CheckerAnswer AnswerOf(Frame frame) const;

  EventLoop& loop_;
  std::string program_;
  const Clock& clock_;
  std::unique_ptr<WorkerLink> link_;
  uint64_t last_id_ = 0;
};

}  // namespace schedulegym
