// TLP (Zhai et al., ASPLOS 2023, and its code zhaiyi000/tlp): each token of a schedule through four
// layers (64, 128, 256, 256 wide for width=256, in these proportions), attention of 8 heads with
// its input added, two residual blocks, four layers down to a number, the sum of these over all
// positions. Published: no positions, and padded positions take part (masked=false), so length
// leaks into the score. Improved: padding takes no part, and numbers of the task are a token of
// their own. mixing=lstm replaces attention by an LSTM over the tokens, whose last state is scored;
// positions=true adds a learned vector to each position. MTL-TLP has one head for each target.
// Cost: about 9 width^2 multiply-adds a position.
#include <algorithm>
#include <utility>

#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/scorer/layers.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/learned/scorer/scorer.h"

namespace schedulegym {
namespace {

class TlpScorer : public Scorer {
 public:
  TlpScorer(const ScorerOptions& options, const ScorerShape& shape, Rng rng) : options_(options) {
    const int width = options.width;
    const int quarter = std::max(1, width / 4), half = std::max(1, width / 2);
    for (const auto& [in, out] :
         {std::pair(shape.columns, quarter), {quarter, half}, {half, width}, {width, width}}) {
      AddLinear(in, out, parameters_, rng);
    }
    if (shape.task_columns > 0) task_ = AddLinear(shape.task_columns, width, parameters_, rng);
    mixing_ = static_cast<int>(parameters_.size());
    if (options.mixing == TokenMixing::kAttention) {
      for (int i = 0; i < 4; ++i) AddLinear(width, width, parameters_, rng);
    }
    if (options.mixing == TokenMixing::kLstm) {
      for (int i = 0; i < 2; ++i) AddLinear(width, 4 * width, parameters_, rng);
    }
    if (options.has_positions) {
      positions_ = AddLinear(width, options.length, parameters_, rng);
      parameters_.pop_back();  // no bias
    }
    blocks_ = static_cast<int>(parameters_.size());
    for (int i = 0; i < options.blocks; ++i) AddLinear(width, width, parameters_, rng);
    output_ = static_cast<int>(parameters_.size());
    for (const auto& [in, out] :
         {std::pair(width, width), {width, half}, {half, quarter}, {quarter, shape.heads}}) {
      AddLinear(in, out, parameters_, rng);
    }
  }

  at::Tensor Encode(const ProgramBatch& batch, std::span<const at::Tensor> weights) const override {
    const auto [padded, mask] = Padded(batch);
    at::Tensor tokens = Stack(padded, weights, 0, /*activates_last=*/true);
    if (positions_ >= 0) tokens = tokens + weights[static_cast<size_t>(positions_)];
    at::Tensor taking_part = options_.masked ? mask : at::ones(mask.sizes());
    if (task_ >= 0) {
      const at::Tensor task = at::relu(Linear(ViewOf(batch.task_rows), weights, task_));
      tokens = at::cat({task.unsqueeze(1), tokens}, 1);
      taking_part = at::cat({at::ones({batch.programs, 1}), taking_part}, 1);
    }
    if (options_.mixing == TokenMixing::kLstm) return Last(tokens, taking_part, weights);
    if (options_.mixing == TokenMixing::kAttention) {
      tokens = tokens + Attention(tokens, taking_part, weights, mixing_, options_.attention_heads);
    }
    tokens = ResidualBlocks(tokens, weights, blocks_, options_.blocks);
    const at::Tensor scores = Stack(tokens, weights, output_, /*activates_last=*/false);
    return (scores * taking_part.unsqueeze(2)).sum(1);
  }

  at::Tensor Score(const at::Tensor& encoded, bool trains) override {
    (void)trains;
    return encoded;
  }

 private:
  static constexpr int kStack = 4;

  // Scores the LSTM's last state: [programs, heads].
  at::Tensor Last(const at::Tensor& tokens, const at::Tensor& taking_part,
                  std::span<const at::Tensor> weights) const {
    const at::Tensor mask = taking_part.contiguous();
    const float* is_there = mask.data_ptr<float>();
    std::vector<std::vector<int64_t>> lists(static_cast<size_t>(mask.size(0)));
    for (int64_t i = 0; i < mask.numel(); ++i) {
      if (is_there[i] > 0) lists[static_cast<size_t>(i / mask.size(1))].push_back(i);
    }
    const at::Tensor rows = tokens.reshape({-1, options_.width});
    const at::Tensor last = ResidualBlocks(LstmOver(rows, lists, weights, mixing_, {}), weights,
                                           blocks_, options_.blocks);
    return Stack(last, weights, output_, /*activates_last=*/false);
  }

  // Returns [programs, length, columns] of rows that are contiguous by program, and the mask of
  // rows that exist.
  std::pair<at::Tensor, at::Tensor> Padded(const ProgramBatch& batch) const {
    const int64_t length = options_.length;
    const at::Tensor place = (ViewOf(batch.groups) * length + ViewOf(batch.places)).view(-1);
    at::Tensor rows = at::zeros({batch.programs * length, batch.rows.columns()});
    at::Tensor mask = at::zeros({batch.programs * length});
    rows.index_copy_(0, place, ViewOf(batch.rows));
    mask.index_fill_(0, place, 1);
    return {rows.view({batch.programs, length, -1}), mask.view({batch.programs, length})};
  }

  static at::Tensor Stack(at::Tensor rows, std::span<const at::Tensor> weights, int first,
                          bool activates_last) {
    for (int i = 0; i < kStack; ++i) {
      rows = Linear(rows, weights, first + 2 * i);
      if (activates_last || i + 1 < kStack) rows = at::relu(rows);
    }
    return rows;
  }

  ScorerOptions options_;
  int task_ = -1, positions_ = -1, mixing_ = 0, blocks_ = 0,
      output_ = 0;  // positions of layers; -1: none
};

}  // namespace

std::unique_ptr<Scorer> MakeTlpScorer(const ScorerOptions& options, const ScorerShape& shape,
                                      Rng rng) {
  return std::make_unique<TlpScorer>(options, shape, rng);
}

}  // namespace schedulegym
