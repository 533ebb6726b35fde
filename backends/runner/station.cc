#include "backends/runner/station.h"

#include <utility>

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/ipc/encoding.h"

namespace schedulegym {

void Station::Ask(MessageType type, const std::string& payload) {
  SG_CHECK(is_idle(), "a station answers one question at a time");
  preparing_.reset();
  asked_at_ = clock_.Now();
  checker_.Ask(type, payload);
}

void Station::AskToPrepare(const PrepareRequest& request) {
  Ask(MessageType::kPrepare, Encode(request));
  preparing_ = request.key;
}

bool Station::Attend(const TimingFunction& timing) {
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

void Station::GiveUp() {
  said_.reset();
  preparing_.reset();
  if (!checker_.is_busy()) return;
  checker_.GiveUp("was given up");
  prepared_.clear();
}

CheckerAnswer Station::Take() {
  SG_CHECK(said_.has_value(), "an answer to take");
  preparing_.reset();
  return *std::exchange(said_, {});
}

}  // namespace schedulegym
