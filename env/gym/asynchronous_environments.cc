// Steps of a vector of environments that are sent and received apart: sent environments move on all
// threads, their evaluations run on a background thread, and those that are done are received in
// order of index. A copy of each environment is kept until it is evaluated; a fault of the
// evaluator puts all back and is thrown. After a fork the other process's thread is not touched: a
// new one is made and open steps are put back.
// Cost: one copy of an environment a step.
#include "env/gym/asynchronous_environments.h"

#include <algorithm>

#include "env/base/check.h"
#include "env/base/clock.h"

namespace schedulegym {

AsynchronousEnvironments::AsynchronousEnvironments(VectorEnvironment& vector)
    : vector_(vector), flights_(vector.size(), Flight::kNone), before_(vector.size()) {
  if (vector.parts().measurer)
    evaluator_ = std::make_unique<BackgroundEvaluator>(vector.parts().measurer);
}

AsynchronousEnvironments::~AsynchronousEnvironments() {
  evaluator_.reset();  // first, as its thread uses the environments
  PutAllBack();
}

void AsynchronousEnvironments::SendResets(std::span<const int> which) { SendAll(which, {}); }

void AsynchronousEnvironments::Send(std::span<const int> which, std::span<const int> actions) {
  SG_CHECK(which.size() == actions.size(), "an action for each environment");
  SendAll(which, actions);
}

void AsynchronousEnvironments::SendAll(std::span<const int> which, std::span<const int> actions) {
  LookAround();
  for (int index : which) {
    SG_CHECK(flights_.at(index) == Flight::kNone, "an environment that is not in flight");
    flights_[index] = Flight::kEvaluated;
  }
  try {
    MoveAll(which, actions);
  } catch (...) {
    for (int index : which) PutBack(index);
    throw;
  }
  AskAbout(which);
}

void AsynchronousEnvironments::MoveAll(std::span<const int> which, std::span<const int> actions) {
  for (int index : which) before_[index] = vector_.slot(index);
  vector_.threads().Run(static_cast<int>(which.size()), [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      vector_.Move(vector_.slot(which[i]),
                   actions.empty() ? std::nullopt : std::optional(actions[i]));
    }
  });
}

// Or notes that they are ready.
void AsynchronousEnvironments::AskAbout(std::span<const int> which) {
  std::vector<PlaceQuestion> questions;
  for (int index : which) {
    const EnvironmentSlot& slot = vector_.slot(index);
    if (slot.is_pending()) {
      (void)slot.environment().episode().state();  // made here: the other thread only reads
      questions.push_back({index, &slot.environment().episode()});
      continue;
    }
    flights_[index] = Flight::kReady;
    before_[index].reset();
    ready_.push_back(index);
  }
  if (!questions.empty()) evaluator_->Ask(questions);
}

int AsynchronousEnvironments::in_flight() {
  LookAround();
  return vector_.size() - CountOf(Flight::kNone);
}

bool AsynchronousEnvironments::is_in_flight(int index) {
  LookAround();
  return flights_.at(index) != Flight::kNone;
}

int AsynchronousEnvironments::CountOf(Flight flight) const {
  return static_cast<int>(std::count(flights_.begin(), flights_.end(), flight));
}

bool AsynchronousEnvironments::Wait(int count, double seconds) {
  LookAround();
  const SteadyClock clock;
  const double end = clock.Now() + seconds;
  const int enough = std::min(count, in_flight());
  for (;;) {
    TakeAnswers();
    if (static_cast<int>(ready_.size()) >= enough) return true;
    if (!evaluator_->Wait(std::max(end - clock.Now(), 0.0))) return false;
  }
}

std::vector<int> AsynchronousEnvironments::Receive(int count) {
  LookAround();
  std::vector<int> received;
  while (!ready_.empty() && static_cast<int>(received.size()) < count) {
    received.push_back(ready_.front());
    flights_[ready_.front()] = Flight::kNone;
    ready_.pop_front();
  }
  std::sort(received.begin(), received.end());
  return received;
}

void AsynchronousEnvironments::TakeAnswers() {
  if (!evaluator_) return;
  std::vector<int> settled;
  for (const PlaceAnswer& answer : evaluator_->Take()) {
    vector_.slot(answer.id).Settle(&answer.evaluation);
    settled.push_back(answer.id);
  }
  for (int index : settled) vector_.Finish(vector_.slot(index));
  AskAbout(settled);
  try {
    evaluator_->ThrowFault();
  } catch (...) {
    PutAllBack();
    throw;
  }
}

void AsynchronousEnvironments::PutBack(int index) {
  if (before_[index]) vector_.slot(index) = *std::move(before_[index]);
  before_[index].reset();
  flights_[index] = Flight::kNone;
}

void AsynchronousEnvironments::PutAllBack() {
  for (int i = 0; i < vector_.size(); ++i) {
    if (flights_[i] == Flight::kEvaluated) PutBack(i);
  }
}

// The other process's thread may be at any point: nothing that it touches is touched here.
void AsynchronousEnvironments::LookAround() {
  if (!evaluator_ || evaluator_->is_here()) return;
  evaluator_ = std::make_unique<BackgroundEvaluator>(vector_.parts().measurer);
  PutAllBack();
}

}  // namespace schedulegym
