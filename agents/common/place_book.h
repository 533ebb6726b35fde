// PlaceBook: which places of a task a search has proposed, and what became of them.
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
  double speed = 0;  // the middle of its ratio to the reference; 0 where it failed
  double seconds = 0;
  double noise = 0;  // standard deviation of log(speed)

  bool ok() const { return speed > 0; }
};

// A place by chance; none where the draw led nowhere.
using PlaceDrawer = std::function<std::optional<FieldPlace>(const KnobField& field, Rng& rng)>;

class PlaceBook {
 public:
  // So many draws in a row that lead nowhere or to what is known mean that nothing is left. `asker`
  // is "agent autotvm". Throws InputError where the space has no sketches.
  PlaceBook(const AgentContext& context, std::shared_ptr<const Task> task, int64_t retries,
            const std::string& asker);

  const KnobField& field() const { return field_; }
  const StopToken& stop() const { return stop_; }
  // Whether it was neither proposed nor measured, nor found to be no schedule that may be.
  bool IsOpen(const FieldPlace& place) const { return !closed_.contains(place); }
  // Its schedule, admitted by the space, which counts as proposed from now on. None where there is
  // no such schedule, or where it is known, from another place or another search.
  std::optional<Proposal> Claim(const FieldPlace& place);
  // The same of a place by chance, of the field or of a drawer; none when nothing is left.
  std::optional<Proposal> Draw(Rng& rng);
  std::optional<Proposal> Draw(const PlaceDrawer& drawer, Rng& rng);
  // The place of what was claimed or measured; none where its schedule is no point of a sketch.
  std::optional<FieldPlace> PlaceOf(const Key& key) const;

  // In the order of first hearing; a record that replaces another stands where that stood.
  const std::vector<MeasuredPlace>& measured() const { return measured_; }
  // Successes, the fastest first; of equal ones those heard of first.
  std::vector<const MeasuredPlace*> Ranked() const;
  // Null where none succeeded.
  const MeasuredPlace* Best() const;
  // Parts of the best speed; 0 of failures.
  std::vector<double> Labels() const;
  // What was measured of one; null where nothing was.
  const MeasuredPlace* Find(const Key& key) const;

  // In the order in which they come.
  void Learn(const Trial& trial);

 private:
  const SearchSpace& space_;
  StopToken stop_;
  int64_t retries_;
  KnobField field_;
  std::set<FieldPlace> closed_;
  std::map<Key, std::optional<FieldPlace>> known_;  // proposed or measured
  std::vector<MeasuredPlace> measured_;
  std::map<Key, size_t> numbers_;  // among these
};

}  // namespace schedulegym
