// ExpectedCells: values and error bounds of one output, evaluated by the oracle.
#pragma once

#include <cstdint>
#include <vector>

#include "env/measure/verification/error_dag.h"
#include "env/measure/verification/oracle.h"

namespace schedulegym {

// Values and bounds of one output, cell by cell.
struct Expected {
  std::vector<double> values, bounds;
};

inline std::vector<int64_t> IndexOf(const Tensor& tensor, int64_t flat) {
  std::vector<int64_t> index(tensor.shape.size());
  for (size_t i = index.size(); i-- > 0; flat /= tensor.shape[i]) index[i] = flat % tensor.shape[i];
  return index;
}

inline std::vector<double> All(const ComputeDag& dag, int output,
                               const std::vector<const void*>& inputs) {
  const int id = dag.outputs()[output];
  Oracle oracle(dag, inputs);
  std::vector<double> cells;
  for (int64_t i = 0; i < dag.tensor(id).NumElements(); ++i) {
    cells.push_back(oracle.Cell(id, IndexOf(dag.tensor(id), i), 100'000'000)->number);
  }
  return cells;
}

inline Expected Expect(const ComputeDag& dag, const std::vector<const void*>& inputs) {
  const ErrorDag error = MakeErrorDag(dag).value();
  Expected expected{All(error.dag, 0, inputs), {}};
  if (error.bounds[0]) expected.bounds = All(error.dag, *error.bounds[0], inputs);
  return expected;
}

}  // namespace schedulegym
