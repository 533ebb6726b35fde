#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string MlpText(const std::vector<int64_t>&) {
  return R"(
input X[t, d]
weight W1[d, hidden]
input b1[hidden]
weight W2[hidden, d]
input b2[d]
H[i:t, j:hidden] = sum(r:d) X[i, r] * W1[r, j]
A[i:t, j:hidden] = 0.5 * (H[i, j] + b1[j]) * (1 + erf((H[i, j] + b1[j]) * 0.7071067811865476))
O[i:t, j:d] = sum(r:hidden) A[i, r] * W2[r, j]
Y[i:t, j:d] = O[i, j] + b2[j]
)";
}

}  // namespace

BuiltinOperator MlpWorkload() {
  return {"mlp",
          "two linear layers with gelu by erf between them",
          {{"t", std::nullopt}, {"d", std::nullopt}, {"hidden", std::nullopt}},
          MlpText};
}

}  // namespace schedulegym
