#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string Conv1dText(const std::vector<int64_t>&) {
  return R"(
input X[n, l, ci]
weight W[k, ci, co]
P[b:n, i:l + 2 * p, c:ci] = select(i >= p && i < l + p, X[b, i - p, c], 0)
Y[b:n, i:(l + 2 * p - k) // s + 1, o:co] = sum(r:k, c:ci) P[b, i * s + r, c] * W[r, c, o]
)";
}

}  // namespace

BuiltinOperator Conv1dWorkload() {
  return {"conv1d",
          "convolution over one axis",
          {{"n", 1},
           {"l", std::nullopt},
           {"ci", std::nullopt},
           {"co", std::nullopt},
           {"k", std::nullopt},
           {"s", 1},
           {"p", 0, 0}},
          Conv1dText};
}

}  // namespace schedulegym
