#include "backends/runner/checker_link.h"

#include <algorithm>
#include <utility>

#include "backends/runner/wire/encoding.h"

namespace schedulegym {
namespace {

// Others are attended to so often at least while nothing comes.
constexpr double kTickSeconds = 0.5;

}  // namespace

CheckerAnswer CheckerLink::Ask(MessageType type, const std::string& payload,
                               const std::function<double()>& attend,
                               const std::function<void(bool)>& timing) {
  if (!link_) link_ = std::make_unique<WorkerLink>(loop_, program_, "check");
  const uint64_t id = ++last_id_;
  link_->Send({static_cast<uint16_t>(type), id, payload});
  double wait = attend();
  while (true) {
    while (std::optional<Frame> frame = link_->Take()) {
      if (frame->id != id) continue;
      if (frame->type != static_cast<uint16_t>(MessageType::kTiming)) {
        return AnswerOf(*std::move(frame));
      }
      const Result<TimingNotice> notice = Decode<TimingNotice>(frame->payload);
      if (notice) timing(notice->begins);
      link_->Send(*frame);
    }
    if (link_->is_closed()) return Bury();
    loop_.Wait(std::min(wait, kTickSeconds));
    wait = attend();
  }
}

CheckerAnswer CheckerLink::Bury() {
  CheckerAnswer answer;
  answer.is_gone = true;
  answer.message = "the checker ended: " + link_->process().Epitaph();
  link_.reset();
  return answer;
}

CheckerAnswer CheckerLink::AnswerOf(Frame frame) const {
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

}  // namespace schedulegym
