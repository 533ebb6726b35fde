#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string LayernormText(const std::vector<int64_t>&) {
  return R"(
input X[n, m]
input G[m]
input B[m]
M[i:n] = sum(j:m) X[i, j]
V[i:n] = sum(j:m) (X[i, j] - M[i] / m) * (X[i, j] - M[i] / m)
Y[i:n, j:m] = (X[i, j] - M[i] / m) * rsqrt(V[i] / m + 1e-5) * G[j] + B[j]
)";
}

}  // namespace

BuiltinOperator LayernormWorkload() {
  return {"layernorm",
          "layer normalisation over the last axis, eps 1e-5, affine",
          {{"n", std::nullopt}, {"m", std::nullopt}},
          LayernormText};
}

}  // namespace schedulegym
