// AgentProcess: the process of an agent of a search, with time limits for its answers.
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

// Makes the agent abandon its computation and wait for the next request; a process that does not
// handle the signal ends.
inline constexpr int kStopSignal = SIGUSR1;

// Limit for an answer; a slower agent counts as hanging.
inline constexpr double kLongestThoughtSeconds = 600;
// A wait for an answer that takes longer is reported to the user.
inline constexpr double kSilentSeconds = 10;
// Limit for loading: an interpreter with its packages, on a busy machine.
inline constexpr double kLongestLoadingSeconds = 300;

// Limits of one request.
struct Patience {
  std::optional<double> seconds = {};  // nullopt: the side's limit
  bool heeds_end = true;               // the wait ends with the search
};

// The other side of the connection.
struct AgentSide {
  std::string name;                          // "the Python agent"; begins every message about it
  bool is_ours = false;                      // its failure is a MachineError, not an InputError
  std::vector<std::string> plugins = {};     // opened before the setup arrives
  double patience = kLongestThoughtSeconds;  // seconds, limit for an answer
  double loading = kLongestThoughtSeconds;   // the same for the first, with loading
  // For a confined process: all its threads are stopped outside of its turns, and in the end it is
  // ended at once.
  bool rests = false;
  // Returns the resource that the process overuses, or "". Polled while an answer is awaited.
  std::function<std::string(pid_t)> excess = {};
};

class AgentProcess {
 public:
  // `seconds`: time limit of the search; nullopt: none.
  AgentProcess(AgentSide side, std::unique_ptr<WorkerProcess> process, const Clock& clock,
               StopToken stop, std::optional<double> seconds = {});
  ~AgentProcess();
  AgentProcess(AgentProcess&&) = default;
  AgentProcess& operator=(AgentProcess&&) = delete;

  // `say` receives a line about the first answer that takes longer than kSilentSeconds. A process
  // whose shell keeps its output open looks like one that computes.
  void OnSilence(std::function<void(const std::string&)> say) { say_ = std::move(say); }

  const AgentSide& side() const { return side_; }
  WorkerProcess& process() { return *process_; }

  // Begins the agent's turn, which ends with its answer. Call it before anything is sent.
  void Wake() { Signal(SIGCONT); }
  // The search's time limit counts from the first call.
  void BeginRun();
  // Whether it was ended during a request; it accepts no more requests then.
  bool is_given_up() const { return is_given_up_; }

  // Returns the channel's next message; nullopt if it has closed before. Polls every 20 ms. Throws
  // Interrupted if the search is stopped or over its time: after the agent stops computing
  // (kStopSignal), or after its process is killed. Throws as Fail does, with the process killed, if
  // the agent is silent for longer than `patience`; before the run begins that limit is at most the
  // search's time limit plus kLongestLoadingSeconds.
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

  // Throws the error type of the side, with its name before the message.
  [[noreturn]] void Fail(const std::string& message) const;
  // The same after the process closed its end: the message says how it ended and its last line.
  [[noreturn]] void FailEnded();

 private:
  static constexpr int kSliceMilliseconds = 20;
  // Limit for stopping after kStopSignal; the end of a search waits no longer for it.
  static constexpr double kStoppingSeconds = 0.25;

  // A busy process does not notice a closed channel, hence the signal. A late answer is dropped; an
  // agent that still answers keeps its learned state.
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
  // Checks the silence and the use of resources.
  void CheckPatience(double begin, const std::optional<double>& asked);
  void TellSilence(double seconds, double patience);

  AgentSide side_;
  std::unique_ptr<WorkerProcess> process_;
  const Clock& clock_;
  StopToken stop_;
  std::optional<double> seconds_;
  std::optional<double> end_;                         // of the search; nullopt before it begins
  std::function<void(const std::string&)> say_ = {};  // null once it was called
  bool is_given_up_ = false;
};

// The process of an agent of a search.
AgentProcess PeerOf(AgentSide side, std::unique_ptr<WorkerProcess> process,
                    const AgentContext& context);

// Sends requests to an agent's process, one at a time, and receives its answers.
class AgentLink {
 public:
  explicit AgentLink(AgentProcess peer);

  // `type` is the message's. Throws the error of a refusal; as AgentProcess does if the process
  // ends, sends an invalid answer or takes too long; Interrupted if the search is over.
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
