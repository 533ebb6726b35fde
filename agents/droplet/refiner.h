// Refiner: droplet search from the best known schedule, over the numbers of its trace.
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

// The published one is DPAnsor's (dpansor_search.h). MetaSchedule's is its post-optimisation
// (single_step_search.h). `kFixed` steps along one knob or two, short steps first, over ascending
// values. It first measures the best again, under the same conditions as the rest. It reuses known
// results of other points, and skips points that cannot be lowered or that the space does not
// admit.
enum class RefinerMode : uint8_t { kFixed, kPublished, kMetaschedule };

struct RefinerOptions {
  RefinerMode mode = RefinerMode::kFixed;
  int64_t trials = 100;  // of a task, at most
  BetterRule better;

  // DPAnsor's.
  static RefinerOptions Published();
  // MetaSchedule's, without a test.
  static RefinerOptions Metaschedule();
};

// Reads options `trials` and `p` of a spec; `who` begins the message of an InputError.
void ReadRefinerOptions(SpecReader& reader, const std::string& who, RefinerOptions& options);

// Reads a whole spec of a known name, such as droplet(trials=100, p=0.05). Throws InputError.
RefinerOptions ReadRefiner(const Spec& spec);

class Refiner : public Agent {
 public:
  Refiner(const RefinerOptions& options, const AgentContext& context);

  // Chooses the best of all known trials once, at the first call for a task. Returns nothing if no
  // trial succeeded. Each proposal has a RefineNote, whose fields about the search before are left
  // for the caller to fill in.
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

// Reads the spec with ReadRefiner.
std::unique_ptr<Agent> MakeRefiner(const AgentContext& context);

// The note of a proposal that goes on from the best schedule of a search.
struct RefineNote {
  Key of;  // the start state
  // True compares results with the earlier time of the start state, as published. False measures it
  // again.
  bool published = false;
  BetterRule better = {};  // the test; published: Student's
  // The search before: its agent, and its trials of the task. Unset if that is the run's.
  std::optional<Spec> agent = {};
  std::optional<int64_t> after = {};

  // refine(of="...", mode=faithful, p=0.1, agent=random, after=300), without defaults.
  std::string ToText() const;
};

// nullopt for other notes.
std::optional<RefineNote> ParseRefineNote(const std::string& note);

}  // namespace schedulegym
