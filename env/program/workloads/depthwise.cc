#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string DepthwiseText(const std::vector<int64_t>&) {
  return R"(
input X[n, h, w, c]
weight W[k, k, c]
P[b:n, y:h + 2 * p, x:w + 2 * p, f:c] = select(
    y >= p && y < h + p && x >= p && x < w + p, X[b, y - p, x - p, f], 0)
Y[b:n, y:(h + 2 * p - k) // s + 1, x:(w + 2 * p - k) // s + 1, f:c] = sum(
    r:k, q:k) P[b, y * s + r, x * s + q, f] * W[r, q, f]
)";
}

}  // namespace

BuiltinOperator DepthwiseWorkload() {
  return {"depthwise",
          "convolution of each channel by itself",
          {{"n", 1},
           {"h", std::nullopt},
           {"w", std::nullopt},
           {"c", std::nullopt},
           {"k", std::nullopt},
           {"s", 1},
           {"p", 0, 0}},
          DepthwiseText};
}

}  // namespace schedulegym
