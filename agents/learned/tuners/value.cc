// Value learning's search (Steiner et al., MLSys 2021): by a trained network's value of partial
// schedules, greedily (width=1) or by beam; nothing is measured on the way. The first proposal is
// the best whole schedule of the search, the next ones its others. When none is left the width
// doubles; beyond 1,024 proposals are random. Nothing is learned from measurements.
// Cost: that of stage_beam.h.
#include "agents/learned/tuners/value.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/common/place_book.h"
#include "agents/common/task_search.h"
#include "agents/learned/policy/torch_setting.h"
#include "agents/learned/stages/stage_beam.h"
#include "agents/learned/tuners/tuner_options.h"
#include "agents/parallel.h"

namespace schedulegym {
namespace {

constexpr int kWidest = 1024;

class ValueSearch : public TaskSearch {
 public:
  ValueSearch(const ValueOptions& options, const std::shared_ptr<ScorerModel>& model,
              const AgentContext& context, const std::shared_ptr<const Task>& task, PlaceBook book,
              Rng rng)
      : model_(model),
        beam_(*model, context.space, task),
        book_(std::move(book)),
        width_(options.width),
        draws_(options.draws),
        threads_(SearchThreads(*task)),
        rng_(rng) {}

  std::vector<Proposal> Propose(int count) override {
    std::vector<Proposal> proposals;
    while (std::ssize(proposals) < count) {
      if (!Deal(count, proposals)) break;
    }
    while (std::ssize(proposals) < count) {
      std::optional<Proposal> draw = book_.Draw(rng_);
      if (!draw) break;
      proposals.push_back(*std::move(draw));
    }
    return proposals;
  }

  void Learn(std::span<const Trial> trials) override {
    for (const Trial& trial : trials) book_.Learn(trial);
  }

 private:
  // Returns false once the widest search has nothing left.
  bool Deal(int count, std::vector<Proposal>& proposals) {
    for (; next_ < found_.size() && std::ssize(proposals) < count; ++next_) {
      const StagePrefix& prefix = found_[next_].prefix;
      if (std::optional<Proposal> claimed = book_.Claim({prefix.sketch, prefix.point})) {
        proposals.push_back(*std::move(claimed));
      }
    }
    if (std::ssize(proposals) == count) return true;
    if (width_ > kWidest) return false;
    found_ = beam_.Search(width_, draws_, rng_, threads_, book_.stop());
    next_ = 0;
    width_ *= 2;
    return true;
  }

  std::shared_ptr<ScorerModel> model_;  // which the beam refers to
  StageBeam beam_;
  PlaceBook book_;
  int width_, draws_;
  int threads_;
  Rng rng_;
  std::vector<ValuedPrefix> found_;
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Agent> MakeValueAgent(const AgentContext& context) {
  const ValueOptions options = ReadValueOptions(context.setup.agent);
  UseOneTorchThread();
  const auto model = std::make_shared<ScorerModel>(ReadScorer(ReadScorerFile(options.model)));
  return MakeAgentOfSearches(context, [&](const std::shared_ptr<const Task>& task, Rng rng) {
    return std::make_unique<ValueSearch>(options, model, context, task,
                                         PlaceBook(context, task, options.retries, "agent value"),
                                         rng);
  });
}

}  // namespace schedulegym
