// Refiner: droplet from the best schedule that it is told of, over the numbers of its own trace.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/agent.h"
#include "agents/search/better_timing.h"
#include "agents/search/descent.h"

namespace schedulegym {

// The published one is DPAnsor's (dpansor_search.h). The other takes steps of one knob and of two,
// short ones first, over values in rising order; measures the best anew, before all else and as
// everything is measured; takes over what is known of other points; and leaves out what cannot be
// lowered or what the space does not admit.
enum class RefinerMode : uint8_t { kFixed, kPublished };

struct RefinerOptions {
  RefinerMode mode = RefinerMode::kFixed;
  int64_t trials = 100;  // of a task, at most
  BetterRule better;

  // As published.
  static RefinerOptions Published();
};

// Options `trials` and `p` of a spec; `who` begins the line of an InputError.
void ReadRefinerOptions(SpecReader& reader, const std::string& who, RefinerOptions& options);

// Of a whole spec, such as droplet(trials=100, p=0.05). Throws InputError, for an unknown name with
// those that exist.
RefinerOptions ReadRefiner(const Spec& spec);

class Refiner : public Agent {
 public:
  // The space outlives the refiner.
  Refiner(const RefinerOptions& options, const SearchSpace& space);

  // The best is chosen once, when it is first asked for a task: of all that was told until then.
  // None where nothing succeeded.
  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override;
  void Learn(std::span<const Record> records) override;
  // The search before is for others to fill in.
  std::optional<RefinementGain> Gain(const Key& task) const override;

 private:
  struct TaskRefinement {
    std::map<Key, Record> successes;  // by state, until the best is chosen
    KnownTimings known;
    std::unique_ptr<Descent> descent;
    Key seed;
    std::optional<Timing> before;  // of the seed, as its search measured it
    std::vector<Key> proposed;     // in order
  };

  void Begin(const std::shared_ptr<const Task>& task, TaskRefinement& refinement) const;
  std::unique_ptr<Descent> DescentFrom(const ScheduleState& seed, const Timing& timing) const;

  RefinerOptions options_;
  const SearchSpace& space_;
  std::map<Key, TaskRefinement> refinements_;  // by task
};

}  // namespace schedulegym
