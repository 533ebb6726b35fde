// Refiner: droplet from the best schedule that it is told of, over the numbers of its own trace.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/droplet/better_timing.h"
#include "agents/droplet/descent.h"
#include "agents/droplet/refinement.h"
#include "env/base/hash.h"
#include "env/schedule/state.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// The published one is DPAnsor's (dpansor_search.h), and that of MetaSchedule its post-optimisation
// (single_step_search.h). The other takes steps of one knob and of two,
// short ones first, over values in rising order; measures the best anew, before all else and as
// everything is measured; takes over what is known of other points; and leaves out what cannot be
// lowered or what the space does not admit.
enum class RefinerMode : uint8_t { kFixed, kPublished, kMetaschedule };

struct RefinerOptions {
  RefinerMode mode = RefinerMode::kFixed;
  int64_t trials = 100;  // of a task, at most
  BetterRule better;

  // As published.
  static RefinerOptions Published();
  // MetaSchedule's, which tests nothing.
  static RefinerOptions Metaschedule();
};

// Options `trials` and `p` of a spec; `who` begins the line of an InputError.
void ReadRefinerOptions(SpecReader& reader, const std::string& who, RefinerOptions& options);

// Of a whole spec of a known name, such as droplet(trials=100, p=0.05). Throws InputError.
RefinerOptions ReadRefiner(const Spec& spec);

class Refiner : public Agent {
 public:
  Refiner(const RefinerOptions& options, const AgentContext& context);

  // The best is chosen once, when it is first asked for a task: of all that was told until then.
  // None where nothing succeeded. Each proposal has a RefineNote, in which the search before is for
  // others to fill in.
  std::vector<Proposal> Propose(int task, int count) override;
  void Learn(std::span<const Trial> trials) override;

 private:
  struct TaskRefinement {
    std::map<Key, Trial> successes;  // by state, until the best is chosen
    KnownTimings known;
    std::unique_ptr<Descent> descent;
    std::string note;
    int64_t proposed = 0;
  };

  void Begin(TaskRefinement& refinement) const;
  std::unique_ptr<Descent> DescentFrom(const ScheduleState& seed, const Timing& timing) const;

  RefinerOptions options_;
  const SearchSpace& space_;
  StopToken stop_;
  std::vector<TaskRefinement> refinements_;  // by task
};

// By a spec that ReadRefiner takes.
std::unique_ptr<Agent> MakeRefiner(const AgentContext& context);

// The note of a proposal that goes on from the best schedule of a search.
struct RefineNote {
  Key of;  // the state from which
  // Whether what follows is held to the time that the search before had of it, as published; else
  // it is measured anew.
  bool published = false;
  BetterRule better = {};  // what counts as better; as published, Student's test
  // The search before: by whom, and how many trials of the task; unset where that is the run's.
  std::optional<Spec> agent = {};
  std::optional<int64_t> after = {};

  // refine(of="...", mode=faithful, p=0.1, agent=random, after=300); what is as usual is left out.
  std::string ToText() const;
};

// None of any other note.
std::optional<RefineNote> ParseRefineNote(const std::string& note);

}  // namespace schedulegym
