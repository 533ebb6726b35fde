// AgentProcess: the process in which an agent of a search lives, and how long its answers may take.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/base/stop_token.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

// Tells the other side to give up what it thinks about and to wait for the next question; who does
// not know that ends by it.
inline constexpr int kStopSignal = SIGUSR1;

// Of an agent that thinks, and does not hang.
inline constexpr double kLongestThoughtSeconds = 600;
// After so many of an answer the user is told that the agent is waited for.
inline constexpr double kSilentSeconds = 10;
// Of one that is loaded: an interpreter with its packages, on a machine that is busy.
inline constexpr double kLongestLoadingSeconds = 300;

// Of one question.
struct Patience {
  std::optional<double> seconds = {};  // the side's without
  bool heeds_end = true;               // ends with the search
};

// Who is on the other side.
struct AgentSide {
  std::string name;      // "the Python agent", which begins every message about it
  bool is_ours = false;  // its end is the machine's fault, not that of what was asked
  std::vector<std::string> plugins = {};     // what it opens before it hears of the run
  double patience = kLongestThoughtSeconds;  // seconds that an answer may take
  double loading = kLongestThoughtSeconds;   // and the first of them, for which it is loaded
  // Of one that is confined: all its threads are stopped outside of its turns, and it is ended at
  // once in the end.
  bool rests = false;
  // What the process takes too much of, looked at while it thinks; "" while it does not.
  std::function<std::string(pid_t)> excess = {};
};

class AgentProcess {
 public:
  // `seconds` are the search's, without which it has no end.
  AgentProcess(AgentSide side, std::unique_ptr<WorkerProcess> process, const Clock& clock,
               StopToken stop, std::optional<double> seconds = {});
  ~AgentProcess();
  AgentProcess(AgentProcess&&) = default;
  AgentProcess& operator=(AgentProcess&&) = delete;

  // Takes a line about the first answer that takes kSilentSeconds: a process whose shell keeps its
  // output open looks like one that thinks.
  void OnSilence(std::function<void(const std::string&)> say) { say_ = std::move(say); }

  const AgentSide& side() const { return side_; }
  WorkerProcess& process() { return *process_; }

  // Its turn, which ends with its answer: before anything is sent.
  void Wake() { Signal(SIGCONT); }
  // The search's seconds count from the first call on.
  void BeginRun();
  // Whether it was ended in the midst of a question, and can be asked no more.
  bool is_given_up() const { return is_given_up_; }

  // The channel's next message; none where it has closed before. Throws Interrupted where the
  // search is stopped or its seconds are over, once the other side has stopped thinking
  // (kStopSignal), or else after its process's end; and as Fail does after so much silence, the
  // process ended; before the run begins, kLongestLoadingSeconds after the search's seconds at the
  // latest. It looks every 20 ms.
  template <typename Channel>
  auto Await(Channel& channel, const Patience& patience = {}) -> decltype(channel.Poll()) {
    for (const double begin = clock_.Now();;) {
      auto message = channel.Poll();
      if (message) Rest();
      if (message || channel.is_closed()) return message;
      if (patience.heeds_end && IsOver()) StopThinking(channel);
      CheckPatience(begin, patience.seconds);
      channel.Wait(kSliceMilliseconds);
    }
  }

  // Throws what belongs to the side, with its name before the message.
  [[noreturn]] void Fail(const std::string& message) const;
  // Of one that has closed its end: how it ended and the last line it said.
  [[noreturn]] void FailEnded();

 private:
  static constexpr int kSliceMilliseconds = 20;
  // Until one that is told to stop thinking has stopped; nobody waits longer for a search's end.
  static constexpr double kStoppingSeconds = 0.25;

  // One that is busy would not hear that its door is closed. What it answers comes too late; who
  // does answer still has what it learned.
  template <typename Channel>
  [[noreturn]] void StopThinking(Channel& channel) {
    process_->Signal(kStopSignal);
    const double begin = clock_.Now();
    bool answers = channel.Poll().has_value();
    while (!answers && !channel.is_closed() && clock_.Now() - begin < kStoppingSeconds) {
      channel.Wait(kSliceMilliseconds);
      answers = channel.Poll().has_value();
    }
    answers ? Rest() : GiveUp();
    throw Interrupted();
  }

  void Rest() { Signal(SIGSTOP); }
  void Signal(int number) {
    if (side_.rests) process_->Signal(number);
  }

  bool IsOver() const;
  void GiveUp();
  // And what it takes too much of.
  void CheckPatience(double begin, const std::optional<double>& asked);
  void TellSilence(double seconds, double patience);

  AgentSide side_;
  std::unique_ptr<WorkerProcess> process_;
  const Clock& clock_;
  StopToken stop_;
  std::optional<double> seconds_;
  std::optional<double> end_;                         // of the search; none before it begins
  std::function<void(const std::string&)> say_ = {};  // null once it was called
  bool is_given_up_ = false;
};

// Of a search.
AgentProcess PeerOf(AgentSide side, std::unique_ptr<WorkerProcess> process,
                    const AgentContext& context);

// Questions to a process that thinks, one at a time, and its answers.
class AgentLink {
 public:
  explicit AgentLink(AgentProcess peer);

  // `type` is the message's. Throws what the other side refuses; as AgentProcess does where it
  // ends, says what is no answer, or thinks for too long; Interrupted where the search is over.
  template <typename Reply, typename Type, typename Request>
  Reply Ask(Type type, const Request& request, const Patience& patience = {}) {
    Result<Reply> reply = Decode<Reply>(
        AnswerTo({static_cast<uint16_t>(type), ++asked_, Encode(request)}, patience).payload);
    if (!reply) peer_.Fail(": " + reply.error().message);
    return *std::move(reply);
  }

  AgentProcess& peer() { return peer_; }

 private:
  Frame AnswerTo(const Frame& question, const Patience& patience);

  AgentProcess peer_;
  FrameChannel channel_;
  uint64_t asked_ = 0;
};

}  // namespace schedulegym
