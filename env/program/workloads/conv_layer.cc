#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string ConvLayerText(const std::vector<int64_t>& values) {
  return Conv2dText(values) + R"(
input bias[co]
input scale[co]
input shift[co]
Z[b:n, y:(h + 2 * p - (k - 1) * dilation - 1) // s + 1,
  x:(w + 2 * p - (k - 1) * dilation - 1) // s + 1, o:co] = max(
    (Y[b, y, x, o] + bias[o]) * scale[o] + shift[o], 0)
)";
}

}  // namespace

BuiltinOperator ConvLayerWorkload() {
  return {"conv_layer", "convolution, bias, batch normalisation folded to scale and shift, ReLU",
          Conv2dParameters(), ConvLayerText};
}

}  // namespace schedulegym
