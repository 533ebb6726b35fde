// The problem a workload poses to libraries: matrix product, convolution, linear layer, pooling,
// norm, softmax or head scores, with the epilogue that its name gives (bias, scale and shift,
// residual, activation). Workloads without one have no peers. Output extents: (extent + 2 padding -
// dilation (kernel - 1) - 1) / stride + 1, of transposed ones (extent - 1) stride - 2 padding +
// kernel. Errors: InputError for unknown peers, MachineError for those not built.
#include "experiments/bench/peers/peer.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

struct PeerEntry {
  const char* name;
  // Null when this build lacks the library.
  std::vector<std::unique_ptr<Peer>> (*make)(const PeerProblem&, int);
  const char* package;  // that holds it
};

constexpr PeerEntry kPeers[] = {
#ifdef SG_OPENBLAS
    {"openblas", MakeOpenblasPeers, "libopenblas-openmp-dev"},
#else
    {"openblas", nullptr, "libopenblas-openmp-dev"},
#endif
#ifdef SG_ONEDNN
    {"onednn", MakeOnednnPeers, "libdnnl-dev"},
#else
    {"onednn", nullptr, "libdnnl-dev"},
#endif
};

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

// By the name of a workload.
Epilogue EpilogueOf(const std::string& name) {
  if (name == "conv_layer") {
    return {.bias = true, .scale_shift = true, .activation = FusedActivation::kRelu};
  }
  static const std::map<std::string, Epilogue> by_suffix = {
      {"_bias", {.bias = true}},
      {"_relu", {.bias = true, .activation = FusedActivation::kRelu}},
      {"_relu6", {.bias = true, .activation = FusedActivation::kRelu6}},
      {"_add", {.bias = true, .residual = true}},
      {"_add_relu", {.bias = true, .residual = true, .activation = FusedActivation::kRelu}},
      {"_gelu", {.bias = true, .activation = FusedActivation::kGelu}},
      {"_gelu_tanh", {.bias = true, .activation = FusedActivation::kGeluTanh}},
      {"_transpose_tanh", {.activation = FusedActivation::kTanh}}};
  if (name == "linear") return {.bias = true};
  Epilogue epilogue;
  size_t longest = 0;
  for (const auto& [suffix, each] : by_suffix) {
    if (!name.ends_with(suffix) || suffix.size() <= longest) continue;
    epilogue = each;
    longest = suffix.size();
  }
  return epilogue;
}

// After the operands of the product or convolution.
void AddOperands(const Epilogue& epilogue, int64_t channels, PeerProblem& problem) {
  if (epilogue.bias) problem.input_elements.push_back(channels);
  if (epilogue.scale_shift) {
    problem.input_elements.insert(problem.input_elements.end(), 2, channels);
  }
  if (epilogue.residual) problem.input_elements.push_back(problem.output_elements);
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
  shape.groups = spec.name.starts_with("depthwise") ? channels : Option(spec, "groups", 1);
  shape.transposed = spec.name.starts_with("conv2d_transpose");
  shape.capsule = spec.name == "capsule";
  shape.epilogue = EpilogueOf(spec.name);

  const int64_t matrix = shape.capsule ? 16 : 1;
  PeerProblem problem{.shape = shape};
  problem.input_elements = {shape.images * Product(shape.size) * shape.channels_in * matrix,
                            Power(shape.kernel, shape.size.size()) *
                                (shape.channels_in / shape.groups) * shape.channels_out * matrix};
  problem.output_elements =
      shape.images * Product(shape.OutputSize()) * shape.channels_out * matrix;
  AddOperands(shape.epilogue, shape.channels_out, problem);
  return problem;
}

// The networks' fused operators, whose parameters have the .dag files' defaults. nullopt where a
// kernel is no cube.
std::optional<PeerProblem> FusedConvolution(const Spec& spec) {
  Spec whole = spec;
  const bool is_cube = spec.name.starts_with("conv3d");
  if (is_cube) {
    for (const auto& [deep, flat, usual] :
         {std::tuple("kd", "k", 3), std::tuple("sd", "s", 1), std::tuple("pd", "p", 1)}) {
      if (Option(spec, deep, usual) != Option(spec, flat, usual)) return std::nullopt;
    }
  }
  const bool is_transposed = spec.name.starts_with("conv2d_transpose");
  const std::map<std::string, int64_t> usual = {{"h", is_transposed ? 4 : 56},
                                                {"w", is_transposed ? 4 : 56},
                                                {"d", 16},
                                                {"c", 32},
                                                {"ci", is_transposed ? 512 : 64},
                                                {"co", is_transposed ? 256 : 64},
                                                {"k", is_transposed ? 4 : 3},
                                                {"s", is_transposed ? 2 : 1},
                                                {"p", 1}};
  const bool is_depthwise = spec.name.starts_with("depthwise");
  for (const auto& [key, value] : usual) {
    const bool has_channels = key == "ci" || key == "co";
    if (is_depthwise ? has_channels : key == "c") continue;
    const int64_t wide = is_depthwise && (key == "h" || key == "w") ? 112 : value;
    if (Option(spec, key, -1) == -1) whole.options.push_back({key, SpecValue{wide}});
  }
  return ConvolutionProblem(whole, is_cube ? std::vector<std::string>{"d", "h", "w"}
                                           : std::vector<std::string>{"h", "w"});
}

PeerProblem LinearProblem(const Spec& spec) {
  const MatrixProduct product{1, Option(spec, "m", 128), Option(spec, "n", 768),
                              Option(spec, "k", 768)};
  const LinearLayer shape{product, EpilogueOf(spec.name)};
  PeerProblem problem{
      .shape = shape,
      .input_elements = {product.rows * product.depth, product.depth * product.columns},
      .output_elements = product.rows * product.columns};
  AddOperands(shape.epilogue, product.columns, problem);
  return problem;
}

PeerProblem PoolingProblem(const Spec& spec) {
  Pooling shape;
  shape.is_mean = spec.name.starts_with("average");
  shape.images = Option(spec, "n", 1);
  if (spec.name.ends_with("3d")) shape.size.push_back(Option(spec, "d", 2));
  const int64_t usual = shape.is_mean ? 7 : 112;
  shape.size.push_back(Option(spec, "h", usual));
  shape.size.push_back(Option(spec, "w", usual));
  shape.channels = Option(spec, "c", shape.is_mean ? 512 : 64);
  shape.kernel = shape.size;
  if (!shape.is_mean) {
    shape.kernel.assign(shape.size.size(), Option(spec, "k", 3));
    shape.stride = Option(spec, "s", 2);
    shape.padding = Option(spec, "p", 1);
  }
  const int64_t pixel = shape.images * shape.channels;
  return {.shape = shape,
          .input_elements = {pixel * Product(shape.size)},
          .output_elements = pixel * Product(shape.OutputSize())};
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
  static const std::set<std::string> fused = {
      "conv2d_add",   "conv2d_add_relu",       "conv2d_bias",           "conv2d_relu",
      "conv2d_relu6", "conv2d_transpose_relu", "conv2d_transpose_tanh", "conv3d_add_relu",
      "conv3d_bias",  "conv3d_relu",           "depthwise_relu6"};
  if (fused.contains(spec.name)) return FusedConvolution(spec);
  if (spec.name == "linear" || spec.name.starts_with("linear_")) return LinearProblem(spec);
  static const std::set<std::string> pooling = {"max_pool2d", "average_pool2d", "average_pool3d"};
  if (pooling.contains(spec.name)) return PoolingProblem(spec);
  if (spec.name == "norm") return NormProblem(spec);
  if (spec.name == "softmax") return SoftmaxProblem(spec);
  if (spec.name == "tbs") return ScoresProblem(spec);
  return std::nullopt;
}

}  // namespace

std::vector<std::unique_ptr<Peer>> MakePeers(const PeerProblem& problem, int cores,
                                             const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<Peer>> peers;
  for (const std::string& name : names) {
    const auto* entry = std::ranges::find(kPeers, name, &PeerEntry::name);
    if (entry == std::end(kPeers)) throw InputError(UnknownName("peer", name, PeerNames()));
    if (entry->make == nullptr) {
      throw MachineError("this build lacks peer '" + name + "': install " + entry->package +
                         " and build again");
    }
    for (auto& peer : entry->make(problem, cores)) peers.push_back(std::move(peer));
  }
  return peers;
}

std::vector<int64_t> Convolution::OutputSize() const {
  std::vector<int64_t> result;
  for (int64_t extent : size) {
    result.push_back(transposed
                         ? (extent - 1) * stride - 2 * padding + kernel
                         : (extent + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1);
  }
  return result;
}

std::vector<int64_t> Pooling::OutputSize() const {
  std::vector<int64_t> result;
  for (size_t i = 0; i < size.size(); ++i) {
    result.push_back((size[i] + 2 * padding - kernel[i]) / stride + 1);
  }
  return result;
}

std::optional<PeerProblem> ProblemOf(const Spec& workload) {
  std::optional<PeerProblem> problem = ProblemByName(workload);
  if (problem) problem->type = TypeOption(workload);
  return problem;
}

}  // namespace schedulegym
