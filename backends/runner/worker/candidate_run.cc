// Drives one candidate's process: sends a command and polls its result every 2 ms until it answers,
// ends or exceeds its limit; the stamps of samples are read beside. An end becomes an outcome by
// its cause: time limit, SIGXCPU, out of memory (SIGKILL by the kernel, or an end near the limit),
// SIGSYS of the system call filter, a fault beside a tensor, another signal, an exit status.
#include "backends/runner/worker/candidate_run.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "backends/runner/sandbox/sandbox.h"
#include "env/base/text.h"
#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

// A socket holds few stamps: they are fetched as often as this.
constexpr double kTickSeconds = 0.002;
std::string SecondsText(double seconds) { return FormatDouble(seconds) + " s"; }

std::string TensorText(const CandidateEnd& end, const TensorNames& names) {
  const auto name = [](const std::vector<std::string>& list, std::optional<int32_t> position) {
    return position && *position >= 0 && static_cast<size_t>(*position) < list.size()
               ? list[*position]
               : std::string();
  };
  const std::string input = name(names.inputs, end.fault_input);
  return input.empty() ? name(names.outputs, end.fault_output) : input;
}

// Not necessarily terminated.
std::string MessageOf(const CandidateAnswer& answer) {
  return {answer.message, strnlen(answer.message, sizeof answer.message)};
}

// Of a process in which no code of a candidate has run: it can be trusted.
std::optional<Failure> FailureToStart(const CandidateAnswer& answer) {
  if (answer.status == 0) return std::nullopt;
  if (answer.status == ENOMEM) return Failure{Outcome::kOutOfMemory, MessageOf(answer)};
  if (answer.status == ENODEV) return Failure{Outcome::kDeviceLost, MessageOf(answer)};
  if (answer.link_failed != 0) return Failure{Outcome::kLinkError, MessageOf(answer)};
  return Failure{Outcome::kInfra, MessageOf(answer)};
}

// Status of a device's server, which the code of a candidate cannot change.
Outcome OutcomeOnDevice(int status) {
  switch (status) {
    case ENOMEM: return Outcome::kOutOfMemory;
    case EINVAL: return Outcome::kLinkError;
    case ENODEV: return Outcome::kDeviceLost;
    case ENOTRECOVERABLE: return Outcome::kRunSignal;
    default: return Outcome::kWrongOutput;
  }
}

// On a processor each failure is the candidate's.
std::optional<Failure> FailureOfStep(const CandidateAnswer& answer, bool is_device) {
  if (answer.status == 0) return std::nullopt;
  if (is_device && answer.status != EFAULT) {
    return Failure{OutcomeOnDevice(answer.status), MessageOf(answer)};
  }
  if (answer.status == EFAULT) return Failure{Outcome::kOobWrite, MessageOf(answer)};
  return Failure{Outcome::kWrongOutput, MessageOf(answer)};
}

}  // namespace

CandidateRun::CandidateRun(ZygoteLink& zygote, const ObjectCode& code, uint64_t id,
                           const TensorNames& names, const Clock& clock)
    : zygote_(zygote), id_(id), names_(names), clock_(clock) {
  zygote_.AwaitDismissed(clock_);
  auto [line, their_line] = MakeSocketPair(/*keeps_messages=*/true);
  auto [stamps, their_stamps] = MakeSocketPair(/*keeps_messages=*/true);
  line_ = std::move(line);
  stamp_socket_ = std::move(stamps);
  StampArrivals(stamp_socket_);
  const std::array<int, 2> theirs = {their_line.number(), their_stamps.number()};
  started_ = zygote_.channel().Send({static_cast<uint16_t>(ZygoteMessage::kRun), id_, Encode(code)},
                                    theirs);
}

CandidateRun::~CandidateRun() {
  if (!started_ || end_ || zygote_.is_gone()) return;
  const CandidateCommand quit;
  send(line_.number(), &quit, sizeof quit, MSG_NOSIGNAL | MSG_DONTWAIT);
  zygote_.Dismiss(id_);
}

std::optional<Failure> CandidateRun::AwaitReady(double limit) {
  if (!started_) return Failure{Outcome::kInfra, zygote_.ExitReason()};
  const Reply reply = Await("before its first call", limit);
  if (!reply.failure) {
    AwaitFatalEnd(reply.answer);
    return FailureToStart(reply.answer);
  }
  // Nothing but the linker was at work.
  if (reply.failure->outcome != Outcome::kRunSignal) return reply.failure;
  return Failure{Outcome::kLinkError, "the linker ended: " + reply.failure->message};
}

std::optional<Failure> CandidateRun::Call(uint32_t set, double limit) {
  CandidateCommand command;
  command.order = CandidateOrder::kCall;
  command.set = set;
  return Order(command, "in a call", limit);
}

std::optional<Failure> CandidateRun::WarmUp(CandidateCommand command, double limit) {
  command.order = CandidateOrder::kWarmUp;
  return Order(command, "while it was timed", limit);
}

std::optional<Failure> CandidateRun::Time(const CandidateCommand& command, double limit) {
  stamps_.clear();
  return Order(command, "while it was timed", limit);
}

std::optional<Failure> CandidateRun::Order(CandidateCommand command, const std::string& what,
                                           double limit) {
  command.number = ++orders_;
  const ssize_t sent = send(line_.number(), &command, sizeof command, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent != sizeof command) {
    // One that takes no more orders hangs as much as one that does not obey them.
    return errno == EAGAIN ? Kill(what, limit) : AwaitEnd(what, /*killed=*/false, limit);
  }
  const Reply reply = Await(what, limit);
  if (reply.failure) return reply.failure;
  AwaitFatalEnd(reply.answer);
  return FailureOfStep(reply.answer, zygote_.is_device());
}

// A device's server ends by itself where its context is of no more use.
void CandidateRun::AwaitFatalEnd(const CandidateAnswer& answer) {
  if (!zygote_.is_device()) return;
  if (answer.status != ENOTRECOVERABLE && answer.status != ENODEV) return;
  end_ = zygote_.WaitForEnd(id_, clock_.Now() + ZygoteLink::kBurialSeconds, clock_);
  if (!end_) zygote_.Kill(id_);
}

// Until the line answers, the process has ended, or the limit is over.
CandidateRun::Reply CandidateRun::Await(const std::string& what, double limit) {
  const double deadline = clock_.Now() + limit;
  while (true) {
    const double left = deadline - clock_.Now();
    if (left <= 0) return {{}, Kill(what, limit)};
    const double wait = std::min(left, kTickSeconds);
    pollfd line = {line_.number(), POLLIN, 0};
    const timespec time = {static_cast<time_t>(wait),
                           static_cast<long>(std::fmod(wait, 1.0) * 1e9)};
    const int ready = ppoll(&line, 1, &time, nullptr);
    ReadStamps(stamp_socket_, stamps_);
    if (ready <= 0) continue;
    if (const std::optional<CandidateAnswer> answer = ReadAnswer()) {
      ReadStamps(stamp_socket_, stamps_);
      return {*answer, std::nullopt};
    }
    if ((line.revents & (POLLHUP | POLLERR)) != 0) {
      return {{}, AwaitEnd(what, /*killed=*/false, limit)};
    }
  }
}

// Earlier answers are dropped.
std::optional<CandidateAnswer> CandidateRun::ReadAnswer() const {
  CandidateAnswer answer;
  const ssize_t got = recv(line_.number(), &answer, sizeof answer, MSG_DONTWAIT | MSG_TRUNC);
  if (got != sizeof answer || answer.number != orders_) return std::nullopt;
  return answer;
}

Failure CandidateRun::Kill(const std::string& what, double limit) {
  zygote_.Kill(id_);
  return AwaitEnd(what, /*killed=*/true, limit);
}

Failure CandidateRun::AwaitEnd(const std::string& what, bool killed, double limit) {
  end_ = zygote_.WaitForEnd(id_, clock_.Now() + ZygoteLink::kBurialSeconds, clock_);
  if (end_) return Classify(what, killed, limit);
  if (zygote_.is_gone()) return {Outcome::kInfra, zygote_.ExitReason()};
  return {Outcome::kInfra, "the server of candidates does not answer"};
}

Failure CandidateRun::Classify(const std::string& what, bool killed, double limit) const {
  const int status = end_->wait_status;
  if (killed) {
    return {Outcome::kRunTimeout, "took more than " + SecondsText(limit) + " " + what};
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    return {Outcome::kRunTimeout, "used more processor time than it may " + what};
  }
  const bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (was_killed || end_->near_memory_limit ||
      (WIFEXITED(status) && WEXITSTATUS(status) == ENOMEM && end_->fault_signal == 0)) {
    return {Outcome::kOutOfMemory, "used more memory than it may, and ended " + what};
  }
  if (end_->fault_signal != 0) return ClassifyFault(what);
  return {Outcome::kRunSignal, ExitText(status) + " " + what};
}

Failure CandidateRun::ClassifyFault(const std::string& what) const {
  const std::string signal = SignalName(end_->fault_signal);
  if (end_->fault_signal == SIGSYS) {
    return {Outcome::kRunSignal,
            "SIGSYS " + what + ": asked the system for " + SystemCallName(end_->system_call)};
  }
  const std::string tensor = TensorText(*end_, names_);
  if (tensor.empty()) return {Outcome::kRunSignal, signal + " " + what};
  const bool in_input = end_->fault_input.has_value();
  if (end_->fault_is_write) {
    return {Outcome::kOobWrite,
            "wrote " + std::string(in_input ? "to or beside input " : "beside output ") + tensor +
                " " + what};
  }
  return {Outcome::kRunSignal, signal + " " + what + ": read beside " + tensor};
}

}  // namespace schedulegym
