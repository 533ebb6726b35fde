// AsynchronousEnvironments: a vector of which some environments act while others are judged.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "env/gym/evaluators/background_evaluator.h"
#include "env/gym/vector_environment.h"

namespace schedulegym {

// An environment that was sent somewhere is in flight until it is received; nobody looks at it
// meanwhile. It is ready at once where its step needs no evaluation result of a shared measurer;
// the others are judged together, as many at a time as the measurer works on, in the order in
// which they were sent. One thread at a time. In a process that was forked from the one that sent,
// those that are not ready yet are in flight no more: they stand where they stood before they were
// sent.
class AsynchronousEnvironments {
 public:
  // The vector outlives it, and steps by itself only where nothing is in flight.
  explicit AsynchronousEnvironments(VectorEnvironment& vector);
  // Those that are not ready stand where they stood before they were sent.
  ~AsynchronousEnvironments();
  AsynchronousEnvironments(const AsynchronousEnvironments&) = delete;
  AsynchronousEnvironments& operator=(const AsynchronousEnvironments&) = delete;

  // Begins episodes of some that are not in flight; takes their actions.
  void SendResets(std::span<const int> which);
  void Send(std::span<const int> which, std::span<const int> actions);

  int in_flight();
  bool is_in_flight(int index);

  // Whether so many are ready, or all that are in flight, after waiting so long at most. Throws
  // what the measurer threw; those that were not ready are in flight no more then, and stand where
  // they stood before they were sent.
  bool Wait(int count, double seconds);
  // As many of those that are ready, at most, those that are so longest; rising.
  std::vector<int> Receive(int count);

 private:
  enum class Flight : uint8_t { kNone, kEvaluated, kReady };

  void SendAll(std::span<const int> which, std::span<const int> actions);
  void MoveAll(std::span<const int> which, std::span<const int> actions);
  void AskAbout(std::span<const int> which);
  void TakeAnswers();
  void PutBack(int index);
  void PutAllBack();
  void LookAround();
  int CountOf(Flight flight) const;

  VectorEnvironment& vector_;
  std::unique_ptr<BackgroundEvaluator> evaluator_;
  std::vector<Flight> flights_;
  std::vector<std::optional<EnvironmentSlot>> before_;  // of those that are judged
  std::deque<int> ready_;                               // those that are so longest first
};

}  // namespace schedulegym
