#include "experiments/bench/problem.h"

#include <functional>
#include <numeric>
#include <string>

namespace schedulegym {
namespace {

int64_t Option(const Spec& spec, const std::string& key, int64_t default_value) {
  for (const auto& [name, value] : spec.options) {
    if (name != key) continue;
    if (const int64_t* number = std::get_if<int64_t>(&value.value)) return *number;
  }
  return default_value;
}

DType TypeOption(const Spec& spec) {
  for (const auto& [name, value] : spec.options) {
    if (name != "dtype") continue;
    const Spec* word = std::get_if<Spec>(&value.value);
    const std::string* text = std::get_if<std::string>(&value.value);
    const std::string type = word ? word->name : text ? *text : "";
    return ParseDType(type).value_or(DType::kF32);
  }
  return DType::kF32;
}

int64_t Product(const std::vector<int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), int64_t{1}, std::multiplies<>());
}

int64_t Power(int64_t base, size_t exponent) {
  int64_t result = 1;
  for (size_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

PeerProblem MatrixProblem(const Spec& spec) {
  const MatrixProduct shape{Option(spec, "b", 1), Option(spec, "m", 1), Option(spec, "n", 1),
                            Option(spec, "k", 1)};
  return {.shape = shape,
          .input_elements = {shape.batch * shape.rows * shape.depth,
                             shape.batch * shape.depth * shape.columns},
          .output_elements = shape.batch * shape.rows * shape.columns};
}

PeerProblem ConvolutionProblem(const Spec& spec, const std::vector<std::string>& extents) {
  Convolution shape;
  shape.images = Option(spec, "n", 1);
  for (const std::string& extent : extents) shape.size.push_back(Option(spec, extent, 1));
  const int64_t channels = Option(spec, "c", 1);
  shape.channels_in = Option(spec, "ci", channels);
  shape.channels_out = Option(spec, "co", channels);
  shape.kernel = Option(spec, "k", 1);
  shape.stride = Option(spec, "s", 1);
  shape.padding = Option(spec, "p", 0);
  shape.dilation = Option(spec, "dilation", 1);
  shape.groups = spec.name == "depthwise" ? channels : Option(spec, "groups", 1);
  shape.transposed = spec.name == "conv2d_transpose";
  shape.capsule = spec.name == "capsule";
  shape.epilogue = spec.name == "conv_layer";

  const int64_t matrix = shape.capsule ? 16 : 1;
  PeerProblem problem{.shape = shape};
  problem.input_elements = {shape.images * Product(shape.size) * shape.channels_in * matrix,
                            Power(shape.kernel, shape.size.size()) *
                                (shape.channels_in / shape.groups) * shape.channels_out * matrix};
  if (shape.epilogue)
    problem.input_elements.insert(problem.input_elements.end(), 3, shape.channels_out);
  problem.output_elements =
      shape.images * Product(shape.OutputSize()) * shape.channels_out * matrix;
  return problem;
}

PeerProblem NormProblem(const Spec& spec) {
  const RowNorm shape{Option(spec, "b", 1), Option(spec, "n", 1) * Option(spec, "m", 1)};
  return {.shape = shape,
          .input_elements = {shape.batch * shape.elements},
          .output_elements = shape.batch};
}

PeerProblem SoftmaxProblem(const Spec& spec) {
  const RowSoftmax shape{Option(spec, "n", 1), Option(spec, "m", 1)};
  const int64_t elements = shape.rows * shape.columns;
  return {.shape = shape, .input_elements = {elements}, .output_elements = elements};
}

PeerProblem ScoresProblem(const Spec& spec) {
  const HeadScores shape{Option(spec, "n", 1), Option(spec, "l", 1), Option(spec, "heads", 1),
                         Option(spec, "size", 1)};
  const int64_t elements = shape.batch * shape.length * shape.heads * shape.size;
  return {.shape = shape,
          .input_elements = {elements, elements},
          .output_elements = shape.batch * shape.heads * shape.length * shape.length};
}

std::optional<PeerProblem> ProblemByName(const Spec& spec) {
  if (spec.name == "matmul") return MatrixProblem(spec);
  if (spec.name == "conv1d") return ConvolutionProblem(spec, {"l"});
  if (spec.name == "conv3d") return ConvolutionProblem(spec, {"d", "h", "w"});
  if (spec.name == "conv2d" || spec.name == "depthwise" || spec.name == "conv2d_transpose" ||
      spec.name == "capsule" || spec.name == "conv_layer") {
    return ConvolutionProblem(spec, {"h", "w"});
  }
  if (spec.name == "norm") return NormProblem(spec);
  if (spec.name == "softmax") return SoftmaxProblem(spec);
  if (spec.name == "tbs") return ScoresProblem(spec);
  return std::nullopt;
}

}  // namespace

std::vector<int64_t> Convolution::OutputSize() const {
  std::vector<int64_t> result;
  for (int64_t extent : size) {
    result.push_back(transposed
                         ? (extent - 1) * stride - 2 * padding + kernel
                         : (extent + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1);
  }
  return result;
}

std::optional<PeerProblem> ProblemOf(const Spec& workload) {
  std::optional<PeerProblem> problem = ProblemByName(workload);
  if (problem) problem->type = TypeOption(workload);
  return problem;
}

}  // namespace schedulegym
