// A plugin for tests that uses the former names: it compiles with warnings.
#include <type_traits>

#include "agents/plugin.h"
#include "env/base/memory_file.h"

namespace {

using namespace schedulegym;  // NOLINT(google-build-using-namespace)

static_assert(std::is_same_v<Memory, ModelState> && std::is_same_v<SavedMemory, SavedModelState>);
static_assert(std::is_same_v<Told, TrialStatus> && std::is_same_v<Misfit, InvalidPointPolicy>);
static_assert(std::is_same_v<Stretch, TraceSegment> &&
              std::is_same_v<StretchBuilder, TraceSegmentBuilder>);

class Counting : public Agent, private Memory {
 public:
  explicit Counting(const AgentContext& context) : context_(context) {}

  std::vector<Proposal> Propose(int task, int) override {
    Result<ScheduleState> state =
        context_.space.Sample(context_.setup.tasks[task].task, context_.rng);
    return {ProposalOf(*std::move(state))};
  }
  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) {
      if (trial.told != Told::kNotReached && LessonOf(trial) != nullptr)
        last_ = ToldName(trial.told);
    }
  }
  Memory* memory() override { return this; }

 private:
  std::string Kind() const override { return "last 1"; }
  std::optional<std::string> Save() override { return last_; }
  void Load(std::string_view text) override {
    if (!ParseTold(text)) throw InputError("no status");
    last_ = text;
  }

  AgentContext context_;
  std::string last_ = "known";
};

std::unique_ptr<Agent> Make(const AgentContext& context) {
  auto agent = std::make_unique<Counting>(context);
  SpecReader options(context.setup.agent, "agent");
  const std::string file = options.Word("model", "");
  options.Finish();
  if (!file.empty()) agent->memory()->Load(ReadMemory(file, {"model", 1000}, {"last 1"}).text);
  return agent;
}

}  // namespace

SG_PLUGIN(agents) { agents.push_back({"old_names", "", "knows only old names", Make}); }
