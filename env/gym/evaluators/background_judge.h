// BackgroundJudge: asks a judge about places on a thread of its own, while others act.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "env/gym/evaluators/judge.h"

namespace schedulegym {

struct PlaceQuestion {
  int id = 0;
  const Walk* place = nullptr;  // nobody touches it until its answer is taken
};

struct PlaceAnswer {
  int id = 0;
  Judgement judgement;
};

// The thread begins with the first question. It asks about as many places at once as the judge
// works on, and lets the judge expect those that follow. One thread uses it at a time.
class BackgroundJudge {
 public:
  explicit BackgroundJudge(std::shared_ptr<Judge> judge);
  // Waits for what the judge is being asked; drops the rest. In another process than the one that
  // asked, whose thread it is not, it lets go of everything as it is.
  ~BackgroundJudge();
  BackgroundJudge(const BackgroundJudge&) = delete;
  BackgroundJudge& operator=(const BackgroundJudge&) = delete;

  void Ask(std::span<const PlaceQuestion> questions);

  // Whether there is an answer or a fault, after waiting so long at most.
  bool Wait(double seconds);

  // The answers that there are, in the order in which they came.
  std::vector<PlaceAnswer> Take();

  // Throws what the judge threw, if it did: it rests since then, and every question without an
  // answer is dropped.
  void ThrowFault();

  // Whether this is the process that asked, or nobody asked.
  bool is_here() const;

 private:
  class Desk;
  std::unique_ptr<Desk> desk_;
};

}  // namespace schedulegym
