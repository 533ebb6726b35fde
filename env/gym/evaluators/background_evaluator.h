// BackgroundEvaluator: asks a measurer about places on a thread of its own, while others act.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "env/gym/evaluators/evaluate.h"

namespace schedulegym {

struct PlaceQuestion {
  int id = 0;
  const EpisodeState* place = nullptr;  // nobody touches it until its answer is taken
};

struct PlaceAnswer {
  int id = 0;
  EvaluationResult evaluation;
};

// The thread begins with the first question. It asks about as many places at once as the measurer
// works on, and announces those that follow. One thread uses it at a time.
class BackgroundEvaluator {
 public:
  explicit BackgroundEvaluator(std::shared_ptr<Measurer> measurer);
  // Waits for what the measurer is being asked; drops the rest. In another process than the one
  // that asked, whose thread it is not, it lets go of everything as it is.
  ~BackgroundEvaluator();
  BackgroundEvaluator(const BackgroundEvaluator&) = delete;
  BackgroundEvaluator& operator=(const BackgroundEvaluator&) = delete;

  void Ask(std::span<const PlaceQuestion> questions);

  // Whether there is an answer or a fault, after waiting so long at most.
  bool Wait(double seconds);

  // The answers that there are, in the order in which they came.
  std::vector<PlaceAnswer> Take();

  // Throws what the measurer threw, if it did: it rests since then, and every question without an
  // answer is dropped.
  void ThrowFault();

  // Whether this is the process that asked, or nobody asked.
  bool is_here() const;

 private:
  class Desk;
  std::unique_ptr<Desk> desk_;
};

}  // namespace schedulegym
