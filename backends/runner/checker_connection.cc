#include "backends/runner/checker_connection.h"

#include <algorithm>
#include <utility>

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/ipc/encoding.h"

namespace schedulegym {

void CheckerConnection::Ask(MessageType type, const std::string& payload) {
  SG_CHECK(!is_busy_, "one question at a time");
  if (!link_) link_ = std::make_unique<WorkerLink>(loop_, program_, "check");
  link_->Send({static_cast<uint16_t>(type), ++last_id_, payload});
  is_busy_ = true;
}

std::optional<CheckerAnswer> CheckerConnection::Attend(const TimingFunction& timing) {
  if (!is_busy_) return std::nullopt;
  while (std::optional<Frame> frame = link_->Take()) {
    if (frame->id != last_id_) continue;
    if (frame->type != static_cast<uint16_t>(MessageType::kTiming)) {
      is_busy_ = false;
      return AnswerOf(*std::move(frame));
    }
    const Result<TimingNotice> notice = Decode<TimingNotice>(frame->payload);
    if (notice) timing(*notice);
    link_->Send(*frame);
  }
  if (!link_->is_closed()) return std::nullopt;
  is_busy_ = false;
  return Reap();
}

CheckerAnswer CheckerConnection::GiveUp(const std::string& message) {
  CheckerAnswer answer;
  answer.is_gone = true;
  answer.message = "the checker " + message;
  is_busy_ = false;
  link_->process().Kill();
  link_.reset();
  return answer;
}

CheckerAnswer CheckerConnection::Reap() {
  CheckerAnswer answer;
  answer.is_gone = true;
  answer.message = "the checker ended: " + link_->process().ExitReason();
  link_.reset();
  return answer;
}

CheckerAnswer CheckerConnection::AnswerOf(Frame frame) const {
  CheckerAnswer answer;
  if (frame.type == static_cast<uint16_t>(MessageType::kRefused)) {
    const Result<RefusedReply> refused = Decode<RefusedReply>(frame.payload);
    answer.refusal = refused ? refused->kind : "bug";
    answer.message = refused ? refused->message : refused.error().message;
    return answer;
  }
  answer.payload = std::move(frame.payload);
  return answer;
}

void WorkerSession::Ask(MessageType type, const std::string& payload) {
  SG_CHECK(is_idle(), "a worker answers one request at a time");
  preparing_.reset();
  asked_at_ = clock_.Now();
  checker_.Ask(type, payload);
}

void WorkerSession::AskToPrepare(const PrepareRequest& request) {
  Ask(MessageType::kPrepare, Encode(request));
  preparing_ = request.key;
}

bool WorkerSession::Attend(const TimingFunction& timing) {
  if (!checker_.is_busy()) return false;
  said_ = checker_.Attend(timing);
  if (!said_ && clock_.Now() - asked_at_ > most_seconds_) {
    said_ = checker_.GiveUp("said nothing for " + FormatDouble(most_seconds_) + " s");
  }
  if (!said_) return false;
  if (said_->is_gone) prepared_.clear();
  if (preparing_ && !said_->is_gone && said_->refusal.empty()) prepared_.insert(*preparing_);
  return true;
}

void WorkerSession::GiveUp() {
  said_.reset();
  preparing_.reset();
  if (!checker_.is_busy()) return;
  checker_.GiveUp("was given up");
  prepared_.clear();
}

CheckerAnswer WorkerSession::Take() {
  SG_CHECK(said_.has_value(), "an answer to take");
  preparing_.reset();
  return *std::exchange(said_, {});
}

}  // namespace schedulegym
