// GymBatch: arrays and infos of some environments of a vector, a row for each.
#pragma once

#include <functional>
#include <vector>

#include "bindings/gym_internal.h"
#include "env/gym/vector_environment.h"

namespace schedulegym {

template <typename T>
std::span<T> SpanOf(pybind11::array_t<T>& array) {
  return {array.mutable_data(), static_cast<size_t>(array.size())};
}

// The result of a vector's step(): arrays with a row for each environment.
using SteppedRows =
    pybind11::typing::Tuple<pybind11::object, pybind11::array_t<double>, pybind11::array_t<bool>,
                            pybind11::array_t<bool>, pybind11::dict>;

// Arrays for the observations and masks of a batch.
struct GymArrays {
  std::vector<pybind11::array_t<float>> numbers;
  pybind11::array_t<int8_t> masks;
};
GymArrays FreshArrays(const EnvironmentParts& parts, int rows);

class GymBatch {
 public:
  // Row i is of environment which[i]. `shape` and `vector` outlive it.
  GymBatch(const GymShape& shape, const VectorEnvironment& vector, std::vector<int> which,
           GymArrays arrays);

  // To be filled in, without the interpreter's lock.
  VectorBuffers Buffers();

  // Once they are filled in: observations and infos; of a step the rest, too.
  schedulegym::Viewed Viewed() const;
  SteppedRows Stepped() const;

 private:
  using EvaluationResultOf = std::function<EvaluationResult(int index)>;

  int rows() const { return static_cast<int>(which_.size()); }
  bool is_same_step() const { return vector_.options().autoreset == Autoreset::kSameStep; }
  pybind11::object Observation(const std::vector<pybind11::array_t<float>>& numbers) const;
  pybind11::dict Infos(bool stepped) const;
  // Why the last action was illegal, None where it was not.
  pybind11::object Reasons() const;
  void AddEvaluationResults(bool stepped, pybind11::dict& infos) const;
  void AddColumns(const std::vector<int>& rows_evaluated, const EvaluationResultOf& of,
                  pybind11::dict& infos) const;
  void AddEnds(pybind11::dict& infos) const;
  pybind11::object FinalRow(int row) const;
  pybind11::array_t<bool> Flags(const std::function<bool(int row)>& of) const;

  const GymShape& shape_;
  const VectorEnvironment& vector_;
  std::vector<int> which_;
  GymArrays arrays_;
  std::vector<pybind11::array_t<float>> final_numbers_;  // kSameStep
  pybind11::array_t<double> rewards_;
  pybind11::array_t<bool> terminated_, truncated_, illegal_;
};

}  // namespace schedulegym
