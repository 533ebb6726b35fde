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
#include "env/base/hash.h"
#include "env/schedule/state.h"
#include "env/search/knob_space.h"

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

// What a number may become. Published are {4, 8, 16, 24, 32, 48, 64} for the length of a tile and
// {64, 128, 256, 512} for auto_unroll_max_step (Canesche et al., arXiv 2406.20037; TVM pull request
// 16499).
enum class RefinementValues : uint8_t {
  // The number itself first, so that the schedule is the origin; then the published ones, lengths
  // only up to the extent of the loop. Tails are legal, and so are tiles longer than the loop.
  kPublished,
  // In rising order, the number itself in its place, so that a step by one is a small one either
  // way: the published values, divisors of the extent and 16 steps of unrolling, the four nearest
  // on each side. Tails are legal; tiles longer than the loop are not, unless the schedule has one.
  kOrdered,
};

// The numbers of a finished schedule as knobs, to go on from it.
struct Refinement {
  KnobSpace space;
  KnobPoint seed;  // the schedule itself
};

// Knobs, in the order of the trace: each length of each split of a loop longer than one, and each
// auto_unroll_max_step above 0. All else stays as it is; what follows a split goes on following it.
// Of more knobs than KnobSpace can count, the last keep their number.
Refinement RefinementOf(const ScheduleState& schedule, RefinementValues values);

}  // namespace schedulegym
