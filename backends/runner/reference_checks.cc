#include "backends/runner/reference_checks.h"

#include <signal.h>

#include <optional>
#include <utility>

#include "backends/runner/wire/verify_messages.h"
#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

constexpr int kMostDeaths = 2;

}  // namespace

ReferenceChecks::~ReferenceChecks() { End(); }

// It may be stopped, or in the midst of something: nothing is lost with it.
void ReferenceChecks::End() {
  if (link_) link_->process().Kill();
  link_.reset();
}

void ReferenceChecks::Ask(PrepareRequest request) {
  waiting_.push_back(std::move(request));
  if (waiting_.size() == 1) SendNext();
}

// Nothing starts while something is timed. Where nothing is left, the process and all its memory
// go.
void ReferenceChecks::SendNext() {
  if (waiting_.empty()) return End();
  if (paused_) return;
  if (!link_) link_ = std::make_unique<WorkerLink>(loop_, program_, "reference");
  link_->Send({static_cast<uint16_t>(MessageType::kReference), 0, Encode(waiting_.front())});
}

void ReferenceChecks::Attend() {
  if (!link_) return;
  while (link_) {
    const std::optional<Frame> frame = link_->Take();
    if (!frame) break;
    Note(*frame);
    waiting_.pop_front();
    deaths_ = 0;
    SendNext();
  }
  if (link_ && link_->is_closed()) OnDeath();
}

void ReferenceChecks::Note(const Frame& frame) {
  ReferenceVerdict verdict;
  verdict.key = waiting_.front().key;
  if (frame.type == static_cast<uint16_t>(MessageType::kRefused)) {
    const Result<RefusedReply> refused = Decode<RefusedReply>(frame.payload);
    if (!refused) return Drop(refused.error().message);
    if (refused->kind != "bug") return Drop(refused->message);
    verdict.fault = refused->message;
  } else {
    Result<ReferenceReply> reply = Decode<ReferenceReply>(frame.payload);
    if (!reply) return Drop(reply.error().message);
    verdict.fault = std::move(reply->fault);
    verdict.toolchain = std::move(reply->toolchain);
    verdict.seconds = reply->seconds;
  }
  verdicts_.push_back(std::move(verdict));
}

void ReferenceChecks::Drop(const std::string& reason) {
  ReferenceVerdict verdict;
  verdict.key = waiting_.front().key;
  verdict.unknown = reason;
  verdicts_.push_back(std::move(verdict));
}

void ReferenceChecks::OnDeath() {
  const std::string exit_reason = link_->process().ExitReason();
  End();
  if (++deaths_ >= kMostDeaths) {
    Drop("the process that checks it ended twice: " + exit_reason);
    waiting_.pop_front();
    deaths_ = 0;
  }
  SendNext();
}

void ReferenceChecks::SetPaused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  if (link_) return link_->process().Signal(paused ? SIGSTOP : SIGCONT);
  if (!paused) SendNext();
}

}  // namespace schedulegym
