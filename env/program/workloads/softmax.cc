#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string SoftmaxText(const std::vector<int64_t>&) {
  return R"(
input X[n, m]
M[i:n] = max(j:m) X[i, j]
E[i:n, j:m] = exp(X[i, j] - M[i])
S[i:n] = sum(j:m) E[i, j]
Y[i:n, j:m] = E[i, j] / S[i]
)";
}

}  // namespace

BuiltinOperator SoftmaxWorkload() {
  return {"softmax",
          "softmax over the last axis",
          {{"n", std::nullopt}, {"m", std::nullopt}},
          SoftmaxText};
}

}  // namespace schedulegym
