// The network of value learning (Steiner et al., MLSys 2021): an LSTM over the stages of a partial
// schedule, w wide (here 256). Each step reads a stage's row (stage_prefixes.h) and the task's
// numbers; two layers, w/2 wide, map its last state to the value of the decisions so far. Widths
// are not published. order=false sums relu(W row + T task + b) over the stages instead. Published
// inputs are numbers of the operator (intrinsic) and of its schedule (acquired); here the task's
// and Ansor's, with the estimate's or without; acquired=false replaces them by 0. Cost: about 8 w^2
// multiply-adds a stage.
#include <algorithm>

#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/scorer/layers.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/learned/scorer/scorer.h"

namespace schedulegym {
namespace {

class StagesScorer : public Scorer {
 public:
  StagesScorer(const ScorerOptions& options, const ScorerShape& shape, Rng rng)
      : options_(options) {
    const int width = options.width, half = std::max(1, width / 2);
    const int gates = options.sees_order ? 4 * width : width;
    AddLinear(shape.columns, gates, parameters_, rng, options.sees_order ? width : 0);
    if (options.sees_order) AddLinear(width, gates, parameters_, rng);
    if (shape.task_columns > 0) {
      task_ = AddLinear(shape.task_columns, gates, parameters_, rng, width);
    }
    output_ = AddLinear(width, half, parameters_, rng);
    AddLinear(half, half, parameters_, rng);
    AddLinear(half, shape.heads, parameters_, rng);
  }

  at::Tensor Encode(const ProgramBatch& batch, std::span<const at::Tensor> weights) const override {
    const at::Tensor seen =
        options_.sees_acquired ? ViewOf(batch.rows) : at::zeros(ViewOf(batch.rows).sizes());
    at::Tensor tasks;
    if (task_ >= 0) tasks = Linear(ViewOf(batch.task_rows), weights, task_);
    if (!options_.sees_order) return SumOf(batch, seen, tasks, weights);
    std::vector<std::vector<int64_t>> rows(static_cast<size_t>(batch.programs));
    for (int row = 0; row < batch.groups.rows(); ++row) {
      rows[static_cast<size_t>(batch.groups[row][0])].push_back(row);
    }
    return LstmOver(seen, rows, weights, 0, tasks);
  }

  at::Tensor Score(const at::Tensor& encoded, bool trains) override {
    (void)trains;
    const at::Tensor first = at::relu(Linear(encoded, parameters_, output_));
    const at::Tensor second = at::relu(Linear(first, parameters_, output_ + 2));
    return Linear(second, parameters_, output_ + 4);
  }

 private:
  static at::Tensor SumOf(const ProgramBatch& batch, const at::Tensor& seen,
                          const at::Tensor& tasks, std::span<const at::Tensor> weights) {
    at::Tensor rows = Linear(seen, weights, 0);
    const at::Tensor groups = ViewOf(batch.groups).view(-1);
    if (tasks.defined()) rows = rows + tasks.index_select(0, groups);
    return SumByGroup(at::relu(rows), groups, batch.programs);
  }

  ScorerOptions options_;
  int task_ = -1, output_ = 0;  // positions of layers; -1: none
};

}  // namespace

std::unique_ptr<Scorer> MakeStagesScorer(const ScorerOptions& options, const ScorerShape& shape,
                                         Rng rng) {
  return std::make_unique<StagesScorer>(options, shape, rng);
}

}  // namespace schedulegym
