// Observation: numbers of a declared shape that describe an episode to an agent.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "env/features/scaled_numbers.h"
#include "env/gym/actions/action_space.h"
#include "env/program/task.h"

namespace schedulegym {

// The inputs of an observation.
struct ObservationContext {
  const Task& task;
  const EpisodeState& episode;
  std::span<const int> actions;  // taken so far, including illegal ones
  int action_count = 1;          // size of the action space
  int horizon = 1;               // most actions of an episode
};

struct Bounds {
  float low = 0;
  float high = 1;
};

// Threads may call it concurrently.
class Observation {
 public:
  virtual ~Observation() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // Number of values; the same for every episode.
  virtual int size() const = 0;

  // Bounds of every value.
  virtual Bounds bounds() const = 0;

  // Describes the values, one line for each or for a group: "0: share of the actions used".
  virtual std::string FeatureNames() const = 0;

  // Fills `numbers` (size() values). Without a schedule, writes only what does not depend on one.
  virtual void Write(const ObservationContext& context, std::span<float> numbers) const = 0;
};

}  // namespace schedulegym
