// A plugin for tests: agents that fail, each in its own way, and one that works.
#include <csignal>
#include <stdexcept>

#include "agents/plugin.h"

namespace {

using namespace schedulegym;  // NOLINT(google-build-using-namespace)

enum class Fault { kNone, kThrows, kThrowsNumber, kCrashes };

class Drawing : public Agent {
 public:
  Drawing(const AgentContext& context, Fault fault) : context_(context), fault_(fault) {}

  // Fails at the second call.
  std::vector<Proposal> Propose(int task, int) override {
    if (++turns_ > 1) GoWrong();
    Result<ScheduleState> state =
        context_.space.Sample(context_.setup.tasks[task].task, context_.rng);
    return {ProposalOf(*std::move(state))};
  }

 private:
  void GoWrong() const {
    if (fault_ == Fault::kThrows) throw std::out_of_range("beyond the end");
    if (fault_ == Fault::kThrowsNumber) throw 7;
    if (fault_ == Fault::kCrashes) raise(SIGSEGV);
  }

  AgentContext context_;
  Fault fault_;
  int turns_ = 0;
};

// Counts the trials that it learns from, and saves the count.
class Counting : public Drawing, private ModelState {
 public:
  explicit Counting(const AgentContext& context) : Drawing(context, Fault::kNone) {}

  void Learn(std::span<const Trial> trials) override { count_ += trials.size(); }
  ModelState* memory() override { return this; }

 private:
  std::string Kind() const override { return "count 1"; }
  std::optional<std::string> Save() override {
    if (count_ == 0) return std::nullopt;
    return std::to_string(count_);
  }
  void Load(std::string_view text) override {
    if (text.empty()) throw std::invalid_argument("no count");
    count_ = std::stoul(std::string(text));
  }

  size_t count_ = 0;
};

AgentFactory Maker(Fault fault) {
  return [fault](const AgentContext& context) { return std::make_unique<Drawing>(context, fault); };
}

}  // namespace

SG_PLUGIN(agents) {
  agents = {
      {"draws", "", "draws from the space", Maker(Fault::kNone)},
      {"throws", "", "throws", Maker(Fault::kThrows)},
      {"throws_number", "", "throws what is no exception", Maker(Fault::kThrowsNumber)},
      {"crashes", "", "crashes", Maker(Fault::kCrashes)},
      {"is_none", "", "is no agent", [](const AgentContext&) { return std::unique_ptr<Agent>(); }},
      {"refuses", "count=1", "takes no count but 1",
       [](const AgentContext& context) {
         SpecReader reader(context.setup.agent, "agent");
         if (reader.Integer("count", 1) != 1) throw InputError("count: expected 1");
         reader.Finish();
         return Maker(Fault::kNone)(context);
       }},
      {"counts", "", "counts what it hears of",
       [](const AgentContext& context) { return std::make_unique<Counting>(context); }}};
}
