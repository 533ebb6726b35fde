// Oracle: evaluates single cells of a computation straight from its definitions, without any
// schedule, lowering or compiler in between.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "env/program/compute_dag.h"

namespace schedulegym {

// Floating values in double precision, integers wrapped as their type does.
struct CellValue {
  double number = 0;
  int64_t integer = 0;
};

class Oracle {
 public:
  // `inputs` are dense and row-major, in order of dag.inputs(). They must outlive the oracle.
  Oracle(ComputeDag dag, std::vector<const void*> inputs);

  // Returns a cell of a definition; caches results of reductions. nullopt if it takes more than
  // `most_terms` evaluations of bodies.
  std::optional<CellValue> Cell(int tensor, std::span<const int64_t> index, int64_t most_terms);

  // Evaluations so far.
  int64_t terms() const { return terms_; }

 private:
  using Point = std::vector<int64_t>;

  CellValue Load(int tensor, std::span<const int64_t> index);
  CellValue Reduce(const Tensor& tensor, Point& point);
  CellValue ReadOf(const ExprNode& node, const Point& point);
  CellValue Evaluate(const ExprNode& node, const Point& point);
  CellValue EvaluateCast(const ExprNode& node, const Point& point);
  double EvaluateNumber(const ExprNode& node, const Point& point);
  int64_t EvaluateInteger(const ExprNode& node, const Point& point);
  bool Compare(const ExprNode& node, const Point& point);

  ComputeDag dag_;
  std::vector<const void*> memory_;  // by tensor, null for definitions
  std::vector<std::unordered_map<int64_t, CellValue>> known_;
  int64_t terms_ = 0;
  int64_t limit_ = 0;
};

}  // namespace schedulegym
