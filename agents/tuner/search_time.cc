#include "agents/tuner/search_time.h"

#include <cmath>

namespace schedulegym {

SearchTime::SearchTime(const Clock& clock, std::optional<double> seconds)
    : clock_(clock), begin_(clock.Now()), whole_(seconds), part_(seconds) {}

void SearchTime::Limit(std::optional<double> seconds) {
  part_ = seconds;
  is_over_ = false;
}

bool SearchTime::IsOver() const { return part_ && (is_over_ || LeftOfPart() <= 0); }

bool SearchTime::BeginTurn(const RecentSeconds& trials) {
  if (!part_) return true;
  const double trial = trials.is_empty() ? first_trials.Longest() : trials.Longest();
  return Fits(propose.Longest() + trial + tell.Longest() <= LeftOfPart());
}

int64_t SearchTime::BeginTrials(const RecentSeconds& trials, int64_t most) {
  if (!part_) return most;
  const double left = LeftOfPart() - tell.Longest();
  if (trials.is_empty()) return Fits(first_trials.Longest() <= left) ? 1 : 0;
  const double each = trials.Longest();
  if (!Fits(each <= left)) return 0;
  return each > 0 ? static_cast<int64_t>(std::min(std::floor(left / each), double(most))) : most;
}

bool SearchTime::HasLeft(double seconds) const { return !whole_ || Elapsed() + seconds <= *whole_; }

std::optional<double> SearchTime::Left() const {
  return part_ ? std::optional(std::max(0.0, LeftOfPart())) : std::nullopt;
}

std::function<bool()> SearchTime::End(const std::atomic<bool>* stop) const {
  return [this, stop] { return (stop != nullptr && *stop) || !HasLeft(0); };
}

bool SearchTime::Fits(bool fits) {
  if (!fits) is_over_ = true;
  return fits;
}

int64_t TurnTrials(std::span<const TaskCurve> curves, int index, std::optional<double> left,
                   int64_t most) {
  if (!left || curves[index].best) return most;
  double waiting = 0, seconds = 0, trials = 0;
  for (const TaskCurve& curve : curves) {
    if (!curve.best && !curve.finished) ++waiting;
    seconds += curve.seconds();
    trials += static_cast<double>(curve.trials());
  }
  if (trials == 0 || seconds <= 0) return most;
  const double share = *left / waiting * trials / seconds;
  return share < static_cast<double>(most) ? std::max<int64_t>(std::floor(share), 1) : most;
}

}  // namespace schedulegym
