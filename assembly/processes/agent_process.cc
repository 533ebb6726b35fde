#include "assembly/processes/agent_process.h"

#include <algorithm>
#include <utility>

#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/refusal.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Extra seconds for a late answer, as measurements were spent on the question.
constexpr double kLateSeconds = 0.3;

// In which a process that has closed its output ends.
constexpr double kMomentSeconds = 0.2;

std::string LastLine(const std::string& text) {
  const std::vector<std::string> lines = SplitLines(text);
  return lines.empty() ? text : lines.back();
}

}  // namespace

AgentProcess::AgentProcess(AgentSide side, std::unique_ptr<WorkerProcess> process,
                           const Clock& clock, StopToken stop, std::optional<double> seconds)
    : side_(std::move(side)),
      process_(std::move(process)),
      clock_(clock),
      stop_(stop),
      seconds_(seconds) {}

// A process that is stopped would not notice the closed channel.
AgentProcess::~AgentProcess() {
  if (process_ && side_.rests) process_->Kill();
}

void AgentProcess::BeginRun() {
  if (seconds_ && !end_) end_ = clock_.Now() + *seconds_;
}

bool AgentProcess::IsOver() const {
  return stop_.IsSet() || (end_ && clock_.Now() > *end_ + kLateSeconds);
}

void AgentProcess::GiveUp() {
  process_->Kill();
  is_given_up_ = true;
}

void AgentProcess::CheckPatience(double begin, const std::optional<double>& asked) {
  const std::string excess = side_.excess ? side_.excess(process_->pid()) : "";
  if (!excess.empty()) {
    GiveUp();
    Fail(" takes too much: " + excess);
  }
  double patience = asked.value_or(side_.patience);
  if (seconds_ && !end_) patience = std::min(patience, *seconds_ + kLongestLoadingSeconds);
  const double silent = clock_.Now() - begin;
  if (silent <= patience) return TellSilence(silent, patience);
  GiveUp();
  Fail(" said nothing for " + FormatDouble(patience) + " seconds");
}

void AgentProcess::TellSilence(double seconds, double patience) {
  if (!say_ || seconds < kSilentSeconds) return;
  const std::string said = LastLine(process_->StderrTail());
  std::exchange(say_, {})(side_.name + " has not answered for " + FormatDouble(kSilentSeconds) +
                          " seconds, it may take " + FormatDouble(patience) +
                          (said.empty() ? "" : "; it said: " + said));
}

void AgentProcess::Fail(const std::string& message) const {
  if (side_.is_ours) throw MachineError(side_.name + message);
  throw InputError(side_.name + message);
}

AgentProcess PeerOf(AgentSide side, std::unique_ptr<WorkerProcess> process,
                    const AgentContext& context) {
  const std::optional<Budget>& budget = context.setup.budget;
  AgentProcess peer(std::move(side), std::move(process), context.clock, context.stop,
                    budget ? budget->seconds : std::nullopt);
  peer.OnSilence(context.say);
  return peer;
}

void AgentProcess::FailEnded() {
  if (process_->WaitForEnd(kMomentSeconds)) Fail(" ended: " + LastLine(process_->ExitReason()));
  process_->Kill();
  const std::string said = LastLine(process_->StderrTail());
  Fail(" closed its output and went on running, expected an answer" +
       (said.empty() ? "" : "; it said: " + said));
}

AgentLink::AgentLink(AgentProcess peer)
    : peer_(std::move(peer)), channel_(peer_.process().TakeSocket()) {}

Frame AgentLink::AnswerTo(const Frame& question, const Patience& patience) {
  peer_.Wake();
  channel_.Send(question);
  std::optional<Frame> frame = peer_.Await(channel_, patience);
  if (!frame) peer_.FailEnded();
  if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
  return *std::move(frame);
}

}  // namespace schedulegym
