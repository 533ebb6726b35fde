#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string Conv3dText(const std::vector<int64_t>&) {
  return R"(
input X[n, d, h, w, ci]
weight W[k, k, k, ci, co]
P[b:n, z:d + 2 * p, y:h + 2 * p, x:w + 2 * p, c:ci] = select(
    z >= p && z < d + p && y >= p && y < h + p && x >= p && x < w + p,
    X[b, z - p, y - p, x - p, c], 0)
Y[b:n, z:(d + 2 * p - k) // s + 1, y:(h + 2 * p - k) // s + 1, x:(w + 2 * p - k) // s + 1,
  o:co] = sum(
    t:k, r:k, q:k, c:ci) P[b, z * s + t, y * s + r, x * s + q, c] * W[t, r, q, c, o]
)";
}

}  // namespace

BuiltinOperator Conv3dWorkload() {
  return {"conv3d",
          "convolution over three axes",
          {{"n", 1},
           {"d", std::nullopt},
           {"h", std::nullopt},
           {"w", std::nullopt},
           {"ci", std::nullopt},
           {"co", std::nullopt},
           {"k", std::nullopt},
           {"s", 1},
           {"p", 0, 0}},
          Conv3dText};
}

}  // namespace schedulegym
