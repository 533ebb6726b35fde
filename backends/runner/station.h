// Station: a checker with what it has prepared, asked one question at a time.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "backends/runner/checker_link.h"
#include "env/base/clock.h"

namespace schedulegym {

class Station {
 public:
  // A checker that is silent for `most_seconds` is ended and replaced. Loop and clock outlive it.
  Station(EventLoop& loop, const std::string& program, const Clock& clock, double most_seconds)
      : checker_(loop, program), clock_(clock), most_seconds_(most_seconds) {}

  // May be asked: there is no question, and no answer that nobody has taken.
  bool is_idle() const { return !checker_.is_busy() && !said_; }
  bool Has(const std::string& key) const { return prepared_.contains(key); }
  // It said that it has not.
  void Forget(const std::string& key) { prepared_.erase(key); }

  void Ask(MessageType type, const std::string& payload);
  // Has it, once the checker answers without an error; the answer is taken like any other.
  void AskToPrepare(const PrepareRequest& request);

  // Nobody waits for its answer: a checker that is at work ends, and what it has prepared with it.
  void GiveUp();

  // To be called after every EventLoop::Wait; as CheckerLink::Attend. Whether an answer came.
  bool Attend(const TimingFunction& timing);

  // What is prepared by the answer that waits to be taken, or was asked to be.
  const std::optional<std::string>& preparing() const { return preparing_; }
  bool has_answer() const { return said_.has_value(); }
  CheckerAnswer Take();

 private:
  CheckerLink checker_;
  const Clock& clock_;
  double most_seconds_;
  double asked_at_ = 0;
  std::set<std::string> prepared_;  // keys
  std::optional<std::string> preparing_;
  std::optional<CheckerAnswer> said_;  // to the last question, not yet taken
};

}  // namespace schedulegym
