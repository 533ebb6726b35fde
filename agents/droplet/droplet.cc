// Droplet search (Canesche, Rosario, Borin and Pereira, TACO 2024) as an agent: a descent
// (droplet_search.h) from the unoptimised point of each sketch, one after another, over its knobs.
// Points that cannot be built, or that the space refuses, are left out, except for the start.
// mode=faithful is AutoTVM's tuner: one knob a tile, Student's test, points are lost in its queue,
// refused points are trials that fail.
#include "agents/droplet/droplet.h"

#include <deque>
#include <utility>

#include "agents/common/sketch_place.h"
#include "agents/droplet/descent.h"
#include "agents/droplet/droplet_search.h"
#include "env/base/fault.h"
#include "env/search/knob_space.h"

namespace schedulegym {
namespace {

struct Options {
  DropletOptions search;
  bool has_whole_tiles = false;  // one knob a tile, or one a length
  std::optional<int64_t> sketch;
  // Skips points that the space refuses; as published, such a point is a trial that fails or is
  // slow.
  bool asks_space = true;
};

// The start of the descent is always legal.
std::unique_ptr<Descent> DescentIn(const Sketch& sketch, const SearchSpace& admits,
                                   const Options& options) {
  const std::shared_ptr<const KnobSpace> space =
      options.has_whole_tiles ? std::make_shared<const KnobSpace>(WithWholeTiles(*sketch.knobs))
                              : sketch.knobs;
  const auto is_legal = [space, &admits, asks = options.asks_space,
                         origin = space->Origin()](const KnobPoint& point) {
    const Result<ScheduleState> state = space->At(point);
    return state && (!asks || point == origin || admits.Admit(*state));
  };
  return std::make_unique<Descent>(
      space,
      std::make_unique<DropletSearch>(SizesOf(*space), space->Origin(), options.search, is_legal),
      Descent::Repeats::kNever);
}

// The sketches of a task, one descent after another.
class TaskDescents {
 public:
  TaskDescents(const std::vector<Sketch>& sketches, const SearchSpace& admits,
               const Options& options) {
    for (const Sketch& sketch : sketches) descents_.push_back(DescentIn(sketch, admits, options));
  }

  std::vector<Proposal> Propose(int count, KnownTimings& known) {
    while (!descents_.empty()) {
      std::vector<Proposal> proposals = descents_.front()->Propose(count, known);
      if (!proposals.empty()) return proposals;
      descents_.pop_front();
    }
    return {};
  }

  void TryAgain(const Trial& trial) {
    if (!descents_.empty()) descents_.front()->TryAgain(trial);
  }

 private:
  std::deque<std::unique_ptr<Descent>> descents_;  // the first is under way
};

class DropletAgent : public Agent {
 public:
  DropletAgent(const Options& options, const AgentContext& context)
      : options_(options), context_(context), searches_(context.setup.tasks.size()) {
    options_.search.stop = context.stop;
    for (const SearchTask& task : context.setup.tasks) Chosen(task.task);
  }

  std::vector<Proposal> Propose(int index, int count) override {
    TaskSearch& search = searches_[index];
    if (!search.descents) {
      const auto& task = context_.setup.tasks[index].task;
      search.descents = std::make_unique<TaskDescents>(Chosen(task), context_.space, options_);
    }
    return search.descents->Propose(count, search.known);
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      TaskSearch& search = searches_[trial.task];
      if (const Record* record = RecordToLearnFrom(trial)) {
        search.known[trial.key] = record->measurement.timing;
      } else if (search.descents) {
        search.descents->TryAgain(trial);
      }
    }
  }

 private:
  struct TaskSearch {
    std::unique_ptr<TaskDescents> descents;  // null before the first proposal
    KnownTimings known;
  };

  // Throws InputError if the options or the space do not fit the task.
  std::vector<Sketch> Chosen(const std::shared_ptr<const Task>& task) const {
    std::vector<Sketch> sketches = RequiredSketches(context_.space, task, "agent droplet");
    const auto count = static_cast<int64_t>(sketches.size());
    if (!options_.sketch) return sketches;
    if (*options_.sketch >= count) {
      throw InputError("agent droplet: sketch=" + std::to_string(*options_.sketch) +
                       ", expected 0.." + std::to_string(count - 1) + " for " + task->name);
    }
    return {sketches[*options_.sketch]};
  }

  Options options_;
  AgentContext context_;
  std::vector<TaskSearch> searches_;  // by task
};

}  // namespace

std::unique_ptr<Agent> MakeDropletAgent(const AgentContext& context) {
  SpecReader reader(context.setup.agent, "agent");
  Options options;
  const std::string mode = reader.Choice("mode", "fixed", {"fixed", "faithful"});
  if (mode == "faithful") {
    options.search = DropletOptions::Published();
    options.has_whole_tiles = true;
    options.asks_space = false;
  }
  ReadLevel(reader, "agent droplet", options.search.better);
  options.search.speculates = reader.Flag("speculate", true);
  options.sketch = reader.OptionalInteger("sketch");
  reader.Finish();
  if (options.sketch && *options.sketch < 0) {
    throw InputError("agent droplet: sketch=" + std::to_string(*options.sketch) +
                     ", expected at least 0");
  }
  return std::make_unique<DropletAgent>(options, context);
}

}  // namespace schedulegym
