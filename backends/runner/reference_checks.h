// ReferenceChecks: references checked whole, one after the other, in a process that nobody waits
// for.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "backends/runner/wire/messages.h"
#include "env/ipc/event_loop.h"

namespace schedulegym {

// What was found out about the reference of a request.
struct ReferenceVerdict {
  std::string key;        // of the request
  std::string fault;      // "": right in every cell, if that was found out
  std::string unknown;    // why nothing was, "" if it was
  std::string toolchain;  // that made its code
  double seconds = 0;     // of a processor
};

class ReferenceChecks {
 public:
  // The loop outlives it.
  ReferenceChecks(EventLoop& loop, std::string program)
      : loop_(loop), program_(std::move(program)) {}
  // What is under way is given up.
  ~ReferenceChecks();

  void Ask(PrepareRequest request);
  bool is_idle() const { return waiting_.empty(); }

  // To be called after every EventLoop::Wait. A request whose process ends before it answers,
  // twice, or that nothing can be found out about, is dropped, which is a verdict, too.
  void Attend();
  // Those that have come since the last call.
  std::vector<ReferenceVerdict> Take() { return std::exchange(verdicts_, {}); }

  // Stops the process where it is, for something is timed, and lets it go on. While another program
  // times something, it stops by itself.
  void SetPaused(bool paused);

 private:
  void SendNext();
  void Note(const Frame& frame);
  void OnDeath();
  void Drop(const std::string& reason);
  void End();

  EventLoop& loop_;
  std::string program_;
  std::unique_ptr<WorkerLink> link_;
  std::deque<PrepareRequest> waiting_;  // the first has been sent, if there is a link
  std::vector<ReferenceVerdict> verdicts_;
  int deaths_ = 0;  // of the first
  bool paused_ = false;
};

}  // namespace schedulegym
