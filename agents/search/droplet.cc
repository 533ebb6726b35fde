#include "agents/search/droplet.h"

#include <deque>
#include <map>
#include <utility>

#include "agents/search/descent.h"
#include "agents/search/droplet_search.h"
#include "agents/search/required_sketches.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

struct Options {
  DropletOptions search;
  TileKnobs tiles = TileKnobs::kLengths;
  std::optional<int64_t> sketch;
  // Whether what the space refuses to measure is no point; as published, it is a trial that fails
  // or is slow.
  bool asks_space = true;
};

// Where the descent begins, the space is not asked.
std::unique_ptr<Descent> DescentIn(const Sketch& sketch, const SearchSpace& admits,
                                   const Options& options) {
  const auto space = std::make_shared<const KnobSpace>(KnobsOf(sketch, options.tiles));
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

  std::vector<ScheduleState> Propose(int count, KnownTimings& known) {
    while (!descents_.empty()) {
      std::vector<ScheduleState> proposals = descents_.front()->Propose(count, known);
      if (!proposals.empty()) return proposals;
      descents_.pop_front();
    }
    return {};
  }

 private:
  std::deque<std::unique_ptr<Descent>> descents_;  // the first is under way
};

class DropletAgent : public Agent {
 public:
  DropletAgent(const Options& options, AgentContext context)
      : options_(options), context_(context) {}

  void CheckTask(const std::shared_ptr<const Task>& task) const override { Chosen(task); }

  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override {
    const Key key = TaskKey(*task);
    std::unique_ptr<TaskDescents>& descents = descents_[key];
    if (!descents)
      descents = std::make_unique<TaskDescents>(Chosen(task), context_.space, options_);
    return descents->Propose(count, known_[key]);
  }

  void Learn(std::span<const Record> records) override {
    for (const Record& record : records) {
      known_[record.task->key][record.state_key] = record.measurement.timing;
    }
  }

 private:
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
  std::map<Key, std::unique_ptr<TaskDescents>> descents_;  // by task
  std::map<Key, KnownTimings> known_;                      // by task
};

}  // namespace

std::unique_ptr<Agent> MakeDropletAgent(const Spec& spec, AgentContext context) {
  SpecReader reader(spec, "agent");
  Options options;
  const std::string mode = reader.Choice("mode", "fixed", {"fixed", "faithful"});
  if (mode == "faithful") {
    options.search = DropletOptions::Published();
    options.tiles = TileKnobs::kSplits;
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
