#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string TransposedText(const std::vector<int64_t>&) {
  return R"(
input X[n, h, w, ci]
weight W[k, k, ci, co]
Y[b:n, y:(h - 1) * s - 2 * p + k, x:(w - 1) * s - 2 * p + k, o:co] = sum(r:k, q:k, c:ci) select(
    (y + r - (k - 1 - p)) % s == 0 && (x + q - (k - 1 - p)) % s == 0
    && y + r >= k - 1 - p && y + r < (h - 1) * s + k - p
    && x + q >= k - 1 - p && x + q < (w - 1) * s + k - p,
    X[b, (y + r - (k - 1 - p)) // s, (x + q - (k - 1 - p)) // s, c], 0
    ) * W[k - 1 - r, k - 1 - q, c, o]
)";
}

}  // namespace

BuiltinOperator Conv2dTransposeWorkload() {
  return {"conv2d_transpose",
          "transposed convolution over two axes",
          {{"n", 1},
           {"h", std::nullopt},
           {"w", std::nullopt},
           {"ci", std::nullopt},
           {"co", std::nullopt},
           {"k", std::nullopt},
           {"s", 1},
           {"p", 0, 0}},
          TransposedText};
}

}  // namespace schedulegym
