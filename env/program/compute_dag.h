// ComputeDag: the immutable mathematics of a computation, independent of any schedule.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/base/hash.h"
#include "env/base/result.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

enum class Combiner : uint8_t { kNone, kSum, kProduct, kMax, kMin };

// "sum", "prod", "max", "min", "none".
const char* CombinerName(Combiner combiner);
// The neutral element of the combiner on `type`: 0, 1, lowest, highest (infinities for floating
// types).
Expr Identity(Combiner combiner, DType type);
// Combines a with b.
Expr Combine(Combiner combiner, Expr a, Expr b);

struct Axis {
  std::string name;
  int64_t extent = 1;
};

enum class TensorKind : uint8_t { kInput, kWeight, kDefinition };

struct Tensor {
  std::string name;
  TensorKind kind = TensorKind::kInput;
  DType type = DType::kF32;
  std::vector<int64_t> shape;

  // Of definitions only. In `body`, variable i is axes[i] for i < axes.size() and
  // reduce_axes[i - axes.size()] beyond; reads refer to tensors by their position in the DAG.
  std::vector<Axis> axes;         // one for each dimension, extents equal to shape
  std::vector<Axis> reduce_axes;  // empty exactly if combiner is kNone
  Combiner combiner = Combiner::kNone;
  Expr body;

  int64_t NumElements() const;
};

// A value; copies share data. Axis names are not part of equality and hash.
class ComputeDag {
 public:
  // `tensors` are in the order of declaration. The caller must have proved each definition's reads
  // in bounds, as the parser does. `outputs` are positions in signature order; empty means all
  // tensors that are never read.
  static Result<ComputeDag> Create(std::vector<Tensor> tensors, std::vector<int> outputs);

  // In declaration order.
  const std::vector<Tensor>& tensors() const { return data_->tensors; }
  const Tensor& tensor(int id) const { return data_->tensors[id]; }
  int size() const { return static_cast<int>(data_->tensors.size()); }
  // Positions of inputs and weights, and of outputs, in signature order.
  const std::vector<int>& inputs() const { return data_->inputs; }
  const std::vector<int>& outputs() const { return data_->outputs; }
  bool is_output(int id) const;
  // All positions, producers before consumers, else in declaration order.
  const std::vector<int>& topological_order() const { return data_->order; }
  // Position of a tensor of this name, or -1.
  int Find(std::string_view name) const;

  const Key& key() const { return data_->key; }
  bool operator==(const ComputeDag& other) const;

  // `.dag` text that parses to an equal DAG.
  std::string ToText() const;

 private:
  struct Data {
    std::vector<Tensor> tensors;
    std::vector<int> inputs, outputs, order;
    Key key;
  };
  explicit ComputeDag(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace schedulegym
