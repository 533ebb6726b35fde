#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string MatmulText(const std::vector<int64_t>& values) {
  const bool is_batch = values[0] > 1;
  if (!is_batch) {
    return R"(
input A[m, k]
input B[k, n]
C[i:m, j:n] = sum(r:k) A[i, r] * B[r, j]
)";
  }
  return R"(
input A[b, m, k]
input B[b, k, n]
C[z:b, i:m, j:n] = sum(r:k) A[z, i, r] * B[z, r, j]
)";
}

}  // namespace

BuiltinOperator MatmulWorkload() {
  return {"matmul",
          "matrix product, with b above 1 a batch of them",
          {{"b", 1}, {"m", std::nullopt}, {"n", std::nullopt}, {"k", std::nullopt}},
          MatmulText};
}

}  // namespace schedulegym
