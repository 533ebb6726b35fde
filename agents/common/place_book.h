// PlaceBook: the places of a task that a search has proposed, and their results.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/common/knob_field.h"

namespace schedulegym {

struct MeasuredPlace {
  FieldPlace place;
  Key key;           // of its schedule
  double speed = 0;  // median ratio to the reference; 0 if it failed
  double seconds = 0;
  double noise = 0;  // standard deviation of log(speed)

  bool ok() const { return speed > 0; }
};

// Draws a random place; nullopt if the draw failed.
using PlaceDrawer = std::function<std::optional<FieldPlace>(const KnobField& field, Rng& rng)>;

class PlaceBook {
 public:
  // `retries`: failed or repeated draws in a row after which nothing is left. `asker` is such as
  // "agent autotvm". Throws InputError if the space has no sketches.
  PlaceBook(const AgentContext& context, std::shared_ptr<const Task> task, int64_t retries,
            const std::string& asker);

  const KnobField& field() const { return field_; }
  const StopToken& stop() const { return stop_; }
  // True unless the place was proposed, measured, or refused as a schedule.
  bool IsOpen(const FieldPlace& place) const { return !closed_.contains(place); }
  // Builds the place's schedule and marks it as proposed. nullopt if the place is closed, the space
  // does not admit it, or its schedule is known, from another place or another search.
  std::optional<Proposal> Claim(const FieldPlace& place);
  // Claims a random place, of the field or of a drawer; nullopt if nothing is left.
  std::optional<Proposal> Draw(Rng& rng);
  std::optional<Proposal> Draw(const PlaceDrawer& drawer, Rng& rng);
  // The place of a claimed or measured schedule; nullopt if it is not a point of a sketch.
  std::optional<FieldPlace> PlaceOf(const Key& key) const;

  // In order of their first record; a replacing record keeps the position.
  const std::vector<MeasuredPlace>& measured() const { return measured_; }
  // Successes, the fastest first; earlier ones first among equals.
  std::vector<const MeasuredPlace*> Ranked() const;
  // nullptr if no trial succeeded.
  const MeasuredPlace* Best() const;
  // Speeds over the best speed, in order of measured(); 0 for failures.
  std::vector<double> Labels() const;
  // The measured place of a schedule; nullptr if it was not measured.
  const MeasuredPlace* Find(const Key& key) const;

  // Takes trials in their order.
  void Learn(const Trial& trial);

 private:
  const SearchSpace& space_;
  StopToken stop_;
  int64_t retries_;
  KnobField field_;
  std::set<FieldPlace> closed_;
  std::map<Key, std::optional<FieldPlace>> known_;  // proposed or measured
  std::vector<MeasuredPlace> measured_;
  std::map<Key, size_t> numbers_;  // positions in measured_
};

}  // namespace schedulegym
