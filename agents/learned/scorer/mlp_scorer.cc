// TenSet's perceptron (Zheng et al., NeurIPS 2021 Datasets; tlc-pack/tenset, segment-sum model):
//   h = relu(W2 relu(W1 row + Wt task + b1) + b2) of each statement; x = sum of h over statements;
//   batch normalisation (or none); x = x + relu(W x + b) for each block; score = w x + b.
// Published: numbers of the task stand beside those of each row, which is the same sum. 256 wide,
// two blocks, momentum 0.1 and epsilon 1e-5 of PyTorch's normalisation.
// Cost: width * (columns + width) multiply-adds a statement.
#include <utility>

#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/scorer/layers.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/learned/scorer/scorer.h"

namespace schedulegym {
namespace {

constexpr double kMomentum = 0.1, kEpsilon = 1e-5;

class MlpScorer : public Scorer {
 public:
  MlpScorer(const ScorerOptions& options, const ScorerShape& shape, Rng rng)
      : blocks_(options.blocks), is_normalised_(options.normalised) {
    const int width = options.width, fan_in = shape.columns + shape.task_columns;
    input_ = AddLinear(shape.columns, width, parameters_, rng, fan_in);
    if (shape.task_columns > 0) {
      task_input_ = static_cast<int>(parameters_.size());
      AddLinear(shape.task_columns, width, parameters_, rng, fan_in);
      parameters_.pop_back();  // one bias is enough
    }
    hidden_ = AddLinear(width, width, parameters_, rng);
    if (is_normalised_) {
      normal_ = static_cast<int>(parameters_.size());
      parameters_.push_back(at::ones({width}).set_requires_grad(true));
      parameters_.push_back(at::zeros({width}).set_requires_grad(true));
      buffers_ = {at::zeros({width}), at::ones({width})};
    }
    first_block_ = static_cast<int>(parameters_.size());
    for (int i = 0; i < blocks_; ++i) AddLinear(width, width, parameters_, rng);
    output_ = AddLinear(width, shape.heads, parameters_, rng);
  }

  at::Tensor Encode(const ProgramBatch& batch, std::span<const at::Tensor> weights) const override {
    const at::Tensor groups = ViewOf(batch.groups).view(-1);
    at::Tensor rows = Linear(ViewOf(batch.rows), weights, input_);
    if (task_input_ >= 0) {
      const at::Tensor tasks =
          at::linear(ViewOf(batch.task_rows), weights[static_cast<size_t>(task_input_)]);
      rows = rows + tasks.index_select(0, groups);
    }
    rows = at::relu(Linear(at::relu(rows), weights, hidden_));
    return SumByGroup(rows, groups, batch.programs);
  }

  at::Tensor Score(const at::Tensor& encoded, bool trains) override {
    at::Tensor programs = encoded;
    if (is_normalised_) {
      const auto at = static_cast<size_t>(normal_);
      programs = at::batch_norm(programs, parameters_[at], parameters_[at + 1], buffers_[0],
                                buffers_[1], trains, kMomentum, kEpsilon, /*cudnn_enabled=*/false);
    }
    programs = ResidualBlocks(std::move(programs), parameters_, first_block_, blocks_);
    return Linear(programs, parameters_, output_);
  }

 private:
  int blocks_;
  bool is_normalised_;
  // Positions of layers; -1 where there is none.
  int input_ = -1, task_input_ = -1, hidden_ = -1, normal_ = -1, first_block_ = -1, output_ = -1;
};

}  // namespace

std::unique_ptr<Scorer> MakeMlpScorer(const ScorerOptions& options, const ScorerShape& shape,
                                      Rng rng) {
  return std::make_unique<MlpScorer>(options, shape, rng);
}

}  // namespace schedulegym
