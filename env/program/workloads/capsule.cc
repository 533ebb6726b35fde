#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string CapsuleText(const std::vector<int64_t>&) {
  return R"(
input X[n, h, w, ci, 4, 4]
weight W[k, k, ci, co, 4, 4]
P[b:n, y:h + 2 * p, x:w + 2 * p, c:ci, i:4, j:4] = select(
    y >= p && y < h + p && x >= p && x < w + p, X[b, y - p, x - p, c, i, j], 0)
Y[b:n, y:(h + 2 * p - k) // s + 1, x:(w + 2 * p - k) // s + 1, o:co, i:4, j:4] = sum(
    r:k, q:k, c:ci, t:4) P[b, y * s + r, x * s + q, c, i, t] * W[r, q, c, o, t, j]
)";
}

}  // namespace

BuiltinOperator CapsuleWorkload() {
  return {"capsule",
          "convolution of 4 x 4 capsules",
          {{"n", 1},
           {"h", std::nullopt},
           {"w", std::nullopt},
           {"ci", std::nullopt},
           {"co", std::nullopt},
           {"k", std::nullopt},
           {"s", 1},
           {"p", 0, 0}},
          CapsuleText};
}

}  // namespace schedulegym
