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

class MlpScorer : public Scorer {
 public:
  MlpScorer(const ScorerOptions& options, const ScorerShape& shape, Rng rng)
      : count_(options.blocks) {
    const int width = options.width;
    statements_ = AddStatementLayers(shape.columns, shape.task_columns, width, parameters_, rng);
    if (options.normalised) normal_ = AddNormalisation(width, parameters_, buffers_);
    blocks_ = static_cast<int>(parameters_.size());
    for (int i = 0; i < count_; ++i) AddLinear(width, width, parameters_, rng);
    output_ = AddLinear(width, shape.heads, parameters_, rng);
  }

  at::Tensor Encode(const ProgramBatch& batch, std::span<const at::Tensor> weights) const override {
    return SumOfStatements(ViewOf(batch.rows), ViewOf(batch.groups).view(-1),
                           ViewOf(batch.task_rows), weights, statements_);
  }

  at::Tensor Score(const at::Tensor& encoded, bool trains) override {
    at::Tensor programs = encoded;
    if (normal_ >= 0) programs = Normalised(programs, parameters_, normal_, buffers_, trains);
    programs = ResidualBlocks(std::move(programs), parameters_, blocks_, count_);
    return Linear(programs, parameters_, output_);
  }

 private:
  StatementLayers statements_;
  int count_;
  int normal_ = -1, blocks_ = 0, output_ = 0;  // positions of layers; -1: none
};

}  // namespace

std::unique_ptr<Scorer> MakeMlpScorer(const ScorerOptions& options, const ScorerShape& shape,
                                      Rng rng) {
  return std::make_unique<MlpScorer>(options, shape, rng);
}

}  // namespace schedulegym
