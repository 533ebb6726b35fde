#include "agents/search/droplet.h"

#include <deque>
#include <map>
#include <utility>

#include "agents/search/droplet_search.h"
#include "agents/search/required_sketches.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

struct Options {
  DropletOptions search;
  TileKnobs tiles = TileKnobs::kLengths;
  std::optional<int64_t> sketch;
};

// What is known of states: a timing, or that measuring them gave none.
using Known = std::map<Key, std::optional<Timing>>;

// One descent, whose points are told of by their states.
class Descent {
 public:
  Descent(KnobSpace space, const DropletOptions& options)
      : space_(std::move(space)),
        search_(SizesOf(space_), space_.Origin(), options,
                [this](const KnobPoint& point) { return space_.At(point).ok(); }) {}
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;

  // States to measure, about `count`, without those that are known already; none when it has
  // ended.
  std::vector<ScheduleState> Propose(int count, Known& known) {
    std::vector<ScheduleState> proposals;
    while (proposals.empty()) {
      const std::vector<KnobPoint> points = search_.Next(count);
      if (points.empty()) break;
      for (const KnobPoint& point : points) {
        ScheduleState state = space_.At(point).value();
        pending_.push_back(StateKey(state));
        // Different points may be the same schedule.
        const bool is_new = known.try_emplace(pending_.back()).second;
        if (is_new && static_cast<int>(proposals.size()) < count) {
          proposals.push_back(std::move(state));
        }
      }
      if (proposals.empty()) Conclude(known);
    }
    return proposals;
  }

  // What was proposed has been measured.
  void Conclude(const Known& known) {
    std::vector<std::optional<Timing>> results;
    for (const Key& key : pending_) results.push_back(known.at(key));
    pending_.clear();
    search_.Tell(results);
  }

 private:
  static std::vector<int> SizesOf(const KnobSpace& space) {
    std::vector<int> sizes;
    for (int i = 0; i < space.dimensions(); ++i) sizes.push_back(space.size_of(i));
    return sizes;
  }

  KnobSpace space_;
  DropletSearch search_;
  std::vector<Key> pending_;  // by point of the last answer
};

// The sketches of a task, one descent after another.
class TaskDescents {
 public:
  TaskDescents(const std::vector<Sketch>& sketches, const Options& options) {
    for (const Sketch& sketch : sketches) {
      descents_.push_back(
          std::make_unique<Descent>(KnobsOf(sketch, options.tiles), options.search));
    }
  }

  std::vector<ScheduleState> Propose(int count, Known& known) {
    if (waits_) descents_.front()->Conclude(known);
    waits_ = false;
    while (!descents_.empty()) {
      std::vector<ScheduleState> proposals = descents_.front()->Propose(count, known);
      waits_ = !proposals.empty();
      if (waits_) return proposals;
      descents_.pop_front();
    }
    return {};
  }

 private:
  std::deque<std::unique_ptr<Descent>> descents_;  // the first is under way
  bool waits_ = false;                             // for what measuring its points gives
};

class DropletAgent : public Agent {
 public:
  DropletAgent(const Options& options, AgentContext context)
      : options_(options), context_(context) {}

  void CheckTask(const std::shared_ptr<const Task>& task) const override { Chosen(task); }

  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override {
    const Key key = TaskKey(*task);
    std::unique_ptr<TaskDescents>& descents = descents_[key];
    if (!descents) descents = std::make_unique<TaskDescents>(Chosen(task), options_);
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
  std::map<Key, Known> known_;                             // by task
};

}  // namespace

std::unique_ptr<Agent> MakeDropletAgent(const Spec& spec, AgentContext context) {
  SpecReader reader(spec, "agent");
  Options options;
  const std::string mode = reader.Choice("mode", "fixed", {"fixed", "faithful"});
  if (mode == "faithful") {
    options.search = DropletOptions::Published();
    options.tiles = TileKnobs::kSplits;
  }
  options.search.p = reader.Number("p", options.search.p);
  options.search.speculates = reader.Flag("speculate", true);
  options.sketch = reader.OptionalInteger("sketch");
  reader.Finish();
  if (options.search.p <= 0 || options.search.p > 1) {
    throw InputError("agent droplet: p=" + FormatDouble(options.search.p) +
                     ", expected above 0 and at most 1");
  }
  if (options.search.p == 1) options.search.test = DropletTest::kNone;
  if (options.sketch && *options.sketch < 0) {
    throw InputError("agent droplet: sketch=" + std::to_string(*options.sketch) +
                     ", expected at least 0");
  }
  return std::make_unique<DropletAgent>(options, context);
}

}  // namespace schedulegym
