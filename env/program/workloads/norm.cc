#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string NormText(const std::vector<int64_t>&) {
  return R"(
input X[b, n, m]
S[z:b] = sum(i:n, j:m) X[z, i, j] * X[z, i, j]
Y[z:b] = sqrt(S[z])
)";
}

}  // namespace

BuiltinOperator NormWorkload() {
  return {"norm",
          "Frobenius norm of each matrix",
          {{"b", 1}, {"n", std::nullopt}, {"m", std::nullopt}},
          NormText};
}

}  // namespace schedulegym
