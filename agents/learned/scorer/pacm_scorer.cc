// Pruner's PaCM (Gu et al., ASPLOS 2025; its code qiaolian9/Pruner): two branches side by side.
//   statements: h = relu(W2 relu(W1 row + Wt task + b1) + b2), summed, as in TenSet's perceptron;
//   dataflow: each of the 8 accesses (env/features/dataflow_rows.h) through two layers, 64 and 128
//   wide for width=256; attention of 4 heads with its input added; summed over the accesses.
// Both together go through relu(W x + b), batch normalisation (or none), residual blocks, and a
// layer to the score. Published: no positions, and absent accesses take part.
// Cost: a perceptron's, and about width^2 multiply-adds an access.
#include <algorithm>
#include <utility>

#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/scorer/layers.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/learned/scorer/scorer.h"
#include "env/features/dataflow_rows.h"

namespace schedulegym {
namespace {

constexpr int kHeads = 4;
constexpr int64_t kAccesses = DataflowLayout::kAccesses;

class PacmScorer : public Scorer {
 public:
  PacmScorer(const ScorerOptions& options, const ScorerShape& shape, Rng rng)
      : options_(options), statement_columns_(shape.columns - DataflowLayout::kWidth) {
    const int width = options.width;
    int joined = 0;
    if (options.sees_statements) {
      statements_ =
          AddStatementLayers(statement_columns_, shape.task_columns, width, parameters_, rng);
      joined += width;
    }
    if (options.sees_dataflow) {
      const int half = std::max(kHeads, width / 2 / kHeads * kHeads),
                quarter = std::max(1, width / 4);
      flow_ = AddLinear(DataflowLayout::kWidth, quarter, parameters_, rng);
      AddLinear(quarter, half, parameters_, rng);
      for (int i = 0; i < 4; ++i) AddLinear(half, half, parameters_, rng);
      joined += half;
    }
    join_ = AddLinear(joined, width, parameters_, rng);
    if (options.normalised) normal_ = AddNormalisation(width, parameters_, buffers_);
    blocks_ = static_cast<int>(parameters_.size());
    for (int i = 0; i < options.blocks; ++i) AddLinear(width, width, parameters_, rng);
    output_ = AddLinear(width, shape.heads, parameters_, rng);
  }

  at::Tensor Encode(const ProgramBatch& batch, std::span<const at::Tensor> weights) const override {
    const auto [statements, accesses] = Parts(batch);
    const at::Tensor rows = ViewOf(batch.rows);
    std::vector<at::Tensor> branches;
    if (options_.sees_statements) {
      const at::Tensor own = rows.index_select(0, statements).narrow(1, 0, statement_columns_);
      const at::Tensor groups = ViewOf(batch.groups).view(-1).index_select(0, statements);
      branches.push_back(
          SumOfStatements(own, groups, ViewOf(batch.task_rows), weights, statements_));
    }
    if (options_.sees_dataflow) {
      const at::Tensor own = rows.index_select(0, accesses)
                                 .narrow(1, statement_columns_, DataflowLayout::kWidth)
                                 .reshape({batch.programs, kAccesses, DataflowLayout::kWidth});
      branches.push_back(Flow(own, weights));
    }
    return at::cat(branches, 1);
  }

  at::Tensor Score(const at::Tensor& encoded, bool trains) override {
    at::Tensor programs = at::relu(Linear(encoded, parameters_, join_));
    if (normal_ >= 0) programs = Normalised(programs, parameters_, normal_, buffers_, trains);
    programs = ResidualBlocks(std::move(programs), parameters_, blocks_, options_.blocks);
    return Linear(programs, parameters_, output_);
  }

 private:
  // Returns the positions of the rows of statements, and of the rows of accesses, which come first.
  static std::pair<at::Tensor, at::Tensor> Parts(const ProgramBatch& batch) {
    std::vector<int64_t> statements, accesses;
    for (int row = 0; row < batch.places.rows(); ++row) {
      (batch.places[row][0] < kAccesses ? accesses : statements).push_back(row);
    }
    return {at::tensor(statements), at::tensor(accesses)};
  }

  at::Tensor Flow(const at::Tensor& accesses, std::span<const at::Tensor> weights) const {
    const at::Tensor tokens =
        at::relu(Linear(at::relu(Linear(accesses, weights, flow_)), weights, flow_ + 2));
    const at::Tensor all = at::ones({tokens.size(0), kAccesses});
    return (tokens + Attention(tokens, all, weights, flow_ + 4, kHeads)).sum(1);
  }

  ScorerOptions options_;
  int statement_columns_;
  StatementLayers statements_;
  int flow_ = -1, join_ = 0, normal_ = -1, blocks_ = 0, output_ = 0;  // layers; -1: none
};

}  // namespace

std::unique_ptr<Scorer> MakePacmScorer(const ScorerOptions& options, const ScorerShape& shape,
                                       Rng rng) {
  return std::make_unique<PacmScorer>(options, shape, rng);
}

}  // namespace schedulegym
