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

// An environment is in flight from send to receive, and is not accessed meanwhile. It is ready at
// once where its step needs no evaluation by a shared measurer; the others are evaluated together,
// as many at a time as the measurer is wide, in the order of sending. Not thread-safe. In a process
// that was forked from the sender, environments that are not ready are put back to before they were
// sent.
class AsynchronousEnvironments {
 public:
  // The vector outlives it, and steps by itself only while nothing is in flight.
  explicit AsynchronousEnvironments(VectorEnvironment& vector);
  // Puts environments that are not ready back to before they were sent.
  ~AsynchronousEnvironments();
  AsynchronousEnvironments(const AsynchronousEnvironments&) = delete;
  AsynchronousEnvironments& operator=(const AsynchronousEnvironments&) = delete;

  // Begins episodes of some that are not in flight; takes their actions.
  void SendResets(std::span<const int> which);
  void Send(std::span<const int> which, std::span<const int> actions);

  int in_flight();
  bool is_in_flight(int index);

  // Whether `count` environments are ready, or all in flight, after at most `seconds`. Throws the
  // measurer's exception; environments that were not ready are then put back to before they were
  // sent.
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
