// Observation: what an agent sees of an episode, as numbers of a declared shape.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "env/features/scaled_numbers.h"
#include "env/gym/actions/action_space.h"
#include "env/program/task.h"

namespace schedulegym {

// An episode as observations see it.
struct ObservationContext {
  const Task& task;
  const EpisodeState& episode;
  std::span<const int> actions;  // taken so far, illegal ones among them
  int action_count = 1;          // of the action space
  int horizon = 1;               // actions that an episode has, at most
};

struct Bounds {
  float low = 0;
  float high = 1;
};

// Threads may ask at once.
class Observation {
 public:
  virtual ~Observation() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // How many numbers it is; the same for every scene.
  virtual int size() const = 0;

  // Of each of them.
  virtual Bounds bounds() const = 0;

  // What the numbers are, a line for each or for a group: "0: share of the actions used".
  virtual std::string FeatureNames() const = 0;

  // Fills `numbers`, size() of them. Of a place that is no schedule, what can be said of it.
  virtual void Write(const ObservationContext& context, std::span<float> numbers) const = 0;
};

}  // namespace schedulegym
