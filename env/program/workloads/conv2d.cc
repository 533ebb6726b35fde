#include "env/base/fault.h"
#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

constexpr size_t kInputChannels = 3, kOutputChannels = 4, kGroups = 9;

}  // namespace

// Of one group every output channel reads every input channel, so its index is plain.
std::string Conv2dText(const std::vector<int64_t>& values) {
  const int64_t groups = values[kGroups];
  if (values[kInputChannels] % groups != 0 || values[kOutputChannels] % groups != 0) {
    throw InputError("groups is " + std::to_string(groups) +
                     ", expected a divisor of ci = " + std::to_string(values[kInputChannels]) +
                     " and co = " + std::to_string(values[kOutputChannels]));
  }
  const std::string channel = groups == 1 ? "c" : "o // (co // groups) * (ci // groups) + c";
  return R"(
input X[n, h, w, ci]
weight W[k, k, ci // groups, co]
P[b:n, y:h + 2 * p, x:w + 2 * p, c:ci] = select(
    y >= p && y < h + p && x >= p && x < w + p, X[b, y - p, x - p, c], 0)
Y[b:n, y:(h + 2 * p - (k - 1) * dilation - 1) // s + 1,
  x:(w + 2 * p - (k - 1) * dilation - 1) // s + 1, o:co] = sum(r:k, q:k, c:ci // groups) P[
    b, y * s + r * dilation, x * s + q * dilation, )" +
         channel + R"(] * W[r, q, c, o]
)";
}

std::vector<WorkloadParameter> Conv2dParameters() {
  return {{"n", 1},
          {"h", std::nullopt},
          {"w", std::nullopt},
          {"ci", std::nullopt},
          {"co", std::nullopt},
          {"k", std::nullopt},
          {"s", 1},
          {"p", 0, 0},
          {"dilation", 1},
          {"groups", 1}};
}

BuiltinOperator Conv2dWorkload() {
  return {"conv2d", "convolution over two axes, grouped or dilated", Conv2dParameters(),
          Conv2dText};
}

}  // namespace schedulegym
