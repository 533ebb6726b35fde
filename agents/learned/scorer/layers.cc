// Layers as functions of a list of weights: linear, residual, batch normalisation, attention
// (softmax(Q K' / sqrt(d)) V) and the LSTM (c = f c + i tanh(g), h = o tanh(c)). Weights begin
// uniform within 1 / sqrt(fan in), as PyTorch's. Sums over rows are in the rows' order, so equal
// batches give equal bits. Cost: one pass over the weights for each row.
#include "agents/learned/scorer/layers.h"

#include <algorithm>
#include <cmath>

#include "agents/learned/scorer/network_internal.h"

namespace schedulegym {
namespace {

at::Tensor UniformTensor(at::IntArrayRef shape, double bound, Rng& rng) {
  at::Tensor tensor = at::empty(shape, at::TensorOptions().dtype(at::kFloat));
  float* values = tensor.data_ptr<float>();
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    values[i] = static_cast<float>((2 * rng.Uniform() - 1) * bound);
  }
  return tensor.set_requires_grad(true);
}

// [programs * heads, length, width / heads].
at::Tensor ByHead(const at::Tensor& tokens, int heads) {
  const int64_t programs = tokens.size(0), length = tokens.size(1);
  return tokens.view({programs, length, heads, -1})
      .transpose(1, 2)
      .reshape({programs * heads, length, tokens.size(2) / heads});
}

}  // namespace

int AddLinear(int inputs, int outputs, std::vector<at::Tensor>& weights, Rng& rng, int fan_in) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in > 0 ? fan_in : inputs));
  weights.push_back(UniformTensor({outputs, inputs}, bound, rng));
  weights.push_back(UniformTensor({outputs}, bound, rng));
  return static_cast<int>(weights.size()) - 2;
}

at::Tensor Linear(const at::Tensor& rows, std::span<const at::Tensor> weights, int layer) {
  const auto at = static_cast<size_t>(layer);
  return at::linear(rows, weights[at], weights[at + 1]);
}

at::Tensor SumByGroup(const at::Tensor& rows, const at::Tensor& groups, int count) {
  return at::zeros({count, rows.size(1)}, rows.options()).index_add(0, groups, rows);
}

StatementLayers AddStatementLayers(int columns, int task_columns, int width,
                                   std::vector<at::Tensor>& weights, Rng& rng) {
  StatementLayers layers;
  const int fan_in = columns + task_columns;
  layers.input = AddLinear(columns, width, weights, rng, fan_in);
  if (task_columns > 0) {
    layers.task = static_cast<int>(weights.size());
    AddLinear(task_columns, width, weights, rng, fan_in);
    weights.pop_back();  // one bias is enough
  }
  layers.hidden = AddLinear(width, width, weights, rng);
  return layers;
}

at::Tensor SumOfStatements(const at::Tensor& rows, const at::Tensor& groups,
                           const at::Tensor& tasks, std::span<const at::Tensor> weights,
                           const StatementLayers& layers) {
  at::Tensor hidden = Linear(rows, weights, layers.input);
  if (layers.task >= 0) {
    const at::Tensor own = at::linear(tasks, weights[static_cast<size_t>(layers.task)]);
    hidden = hidden + own.index_select(0, groups);
  }
  hidden = at::relu(Linear(at::relu(hidden), weights, layers.hidden));
  return SumByGroup(hidden, groups, static_cast<int>(tasks.size(0)));
}

int AddNormalisation(int width, std::vector<at::Tensor>& weights,
                     std::vector<at::Tensor>& buffers) {
  weights.push_back(at::ones({width}).set_requires_grad(true));
  weights.push_back(at::zeros({width}).set_requires_grad(true));
  buffers = {at::zeros({width}), at::ones({width})};
  return static_cast<int>(weights.size()) - 2;
}

at::Tensor Normalised(const at::Tensor& rows, std::span<const at::Tensor> weights, int first,
                      const std::vector<at::Tensor>& buffers, bool trains) {
  constexpr double kMomentum = 0.1, kEpsilon = 1e-5;
  const auto at = static_cast<size_t>(first);
  return at::batch_norm(rows, weights[at], weights[at + 1], buffers[0], buffers[1], trains,
                        kMomentum, kEpsilon, /*cudnn_enabled=*/false);
}

at::Tensor ResidualBlocks(at::Tensor rows, std::span<const at::Tensor> weights, int first,
                          int count) {
  for (int block = 0; block < count; ++block) {
    rows = rows + at::relu(Linear(rows, weights, first + 2 * block));
  }
  return rows;
}

at::Tensor Attention(const at::Tensor& tokens, const at::Tensor& mask,
                     std::span<const at::Tensor> weights, int first, int heads) {
  constexpr double kHidden = -1e9;  // far below any product
  const int64_t programs = tokens.size(0), length = tokens.size(1), width = tokens.size(2);
  const at::Tensor queries = ByHead(Linear(tokens, weights, first), heads);
  const at::Tensor keys = ByHead(Linear(tokens, weights, first + 2), heads);
  const at::Tensor values = ByHead(Linear(tokens, weights, first + 4), heads);
  const int64_t part = width / heads;
  const double scale = 1 / std::sqrt(static_cast<double>(part));
  const at::Tensor hidden = ((1 - mask) * kHidden)
                                .view({programs, 1, 1, length})
                                .expand({programs, heads, 1, length})
                                .reshape({programs * heads, 1, length});
  const at::Tensor shares =
      at::softmax(at::bmm(queries, keys.transpose(1, 2)) * scale + hidden, -1);
  const at::Tensor mixed = at::bmm(shares, values)
                               .view({programs, heads, length, width / heads})
                               .transpose(1, 2)
                               .reshape({programs, length, width});
  const at::Tensor has_token = mask.amax(1).view({programs, 1, 1});
  return Linear(mixed, weights, first + 6) * has_token;
}

at::Tensor DroppedOut(const at::Tensor& values, double chance, Rng& rng) {
  if (chance == 0) return values;
  const at::Tensor kept = at::empty(values.sizes(), at::TensorOptions().dtype(at::kFloat));
  float* factors = kept.data_ptr<float>();
  const auto factor = static_cast<float>(1 / (1 - chance));
  for (int64_t i = 0; i < kept.numel(); ++i) factors[i] = rng.Chance(chance) ? 0 : factor;
  return values * kept;
}

at::Tensor LstmOver(const at::Tensor& rows, const std::vector<std::vector<int64_t>>& lists,
                    std::span<const at::Tensor> weights, int lstm, const at::Tensor& constant) {
  const auto count = static_cast<int64_t>(lists.size());
  const int64_t width = weights[static_cast<size_t>(lstm) + 2].size(1);
  size_t most = 0;
  for (const auto& list : lists) most = std::max(most, list.size());
  at::Tensor output = at::zeros({count, width}), cell = at::zeros({count, width});
  for (size_t step = 0; step < most; ++step) {
    std::vector<int64_t> own;
    std::vector<float> moves;
    for (const auto& list : lists) {
      own.push_back(step < list.size() ? list[step] : 0);
      moves.push_back(step < list.size() ? 1.0F : 0.0F);
    }
    const at::Tensor moved = at::tensor(moves).unsqueeze(1);
    at::Tensor gates = Linear(rows.index_select(0, at::tensor(own)), weights, lstm) +
                       Linear(output, weights, lstm + 2);
    if (constant.defined()) gates = gates + constant;
    const auto gate = [&](int64_t i) { return gates.narrow(1, i * width, width); };
    const at::Tensor next = gate(1).sigmoid() * cell + gate(0).sigmoid() * gate(2).tanh();
    cell = cell * (1 - moved) + next * moved;
    output = output * (1 - moved) + gate(3).sigmoid() * next.tanh() * moved;
  }
  return output;
}

}  // namespace schedulegym
