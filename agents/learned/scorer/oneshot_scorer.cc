// The network of One-Shot Tuner (Ryu et al., CC 2022; its code ryujaehun/one-shot-tuner): a row of
// curves and knobs (env/features/curve_row.h) with the task's numbers, embedded w wide, through
// transformer layers of 4 heads (Vaswani et al., NeurIPS 2017; x = norm(x + attention(x)), then x =
// norm(x + W2 relu(W1 x)), 4 w wide), and a layer to the score. Published: 3 layers, 1,024 wide
// within, no embedding, dropout 0.25 of the output of each half of a layer and of the numbers
// within; also of the attention's shares, which is left out here, since the one share is 1. A
// program is a sequence of one token, so attention is a linear map of it: the network is a deep
// residual perceptron. Cost: about 12 w^2 multiply-adds a layer.
#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/scorer/layers.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/learned/scorer/scorer.h"

namespace schedulegym {
namespace {

constexpr int kInner = 4;      // times the width
constexpr int kOfALayer = 16;  // weights: four of attention, two perceptrons, two normalisations

class OneshotScorer : public Scorer {
 public:
  OneshotScorer(const ScorerOptions& options, const ScorerShape& shape, Rng rng)
      : options_(options) {
    const int width = options.width;
    AddLinear(shape.columns, width, parameters_, rng, shape.columns + shape.task_columns);
    if (shape.task_columns > 0) task_ = AddLinear(shape.task_columns, width, parameters_, rng);
    layers_ = static_cast<int>(parameters_.size());
    for (int layer = 0; layer < options.blocks; ++layer) {
      for (int i = 0; i < 4; ++i) AddLinear(width, width, parameters_, rng);
      AddLinear(width, kInner * width, parameters_, rng);
      AddLinear(kInner * width, width, parameters_, rng);
      for (int i = 0; i < 2; ++i) {
        parameters_.push_back(at::ones({width}).set_requires_grad(true));
        parameters_.push_back(at::zeros({width}).set_requires_grad(true));
      }
    }
    output_ = AddLinear(width, shape.heads, parameters_, rng);
  }

  at::Tensor Encode(const ProgramBatch& batch, std::span<const at::Tensor> weights) const override {
    at::Tensor rows = Linear(ViewOf(batch.rows), weights, 0);
    if (task_ >= 0) rows = rows + Linear(ViewOf(batch.task_rows), weights, task_);
    const at::Tensor one = at::ones({batch.programs, 1});
    Rng noise(batch.noise.value_or(0));
    const auto drop = [&](const at::Tensor& values) {
      return batch.noise ? DroppedOut(values, options_.dropout, noise) : values;
    };
    for (int layer = 0; layer < options_.blocks; ++layer) {
      const int first = layers_ + layer * kOfALayer;
      const at::Tensor mixed =
          Attention(rows.unsqueeze(1), one, weights, first, options_.attention_heads).squeeze(1);
      rows = Norm(rows + drop(mixed), weights, first + 12);
      const at::Tensor inner = drop(at::relu(Linear(rows, weights, first + 8)));
      rows = Norm(rows + drop(Linear(inner, weights, first + 10)), weights, first + 14);
    }
    return rows;
  }

  at::Tensor Score(const at::Tensor& encoded, bool trains) override {
    (void)trains;
    return Linear(encoded, parameters_, output_);
  }

 private:
  at::Tensor Norm(const at::Tensor& rows, std::span<const at::Tensor> weights, int first) const {
    const auto at = static_cast<size_t>(first);
    return at::layer_norm(rows, {options_.width}, weights[at], weights[at + 1]);
  }

  ScorerOptions options_;
  int task_ = -1, layers_ = 0, output_ = 0;  // positions of layers; -1: none
};

}  // namespace

std::unique_ptr<Scorer> MakeOneshotScorer(const ScorerOptions& options, const ScorerShape& shape,
                                          Rng rng) {
  return std::make_unique<OneshotScorer>(options, shape, rng);
}

}  // namespace schedulegym
