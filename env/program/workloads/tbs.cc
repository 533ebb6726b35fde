#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string TbsText(const std::vector<int64_t>&) {
  return R"(
input Q[n, l, heads, size]
input K[n, l, heads, size]
T[b:n, h:heads, i:l, d:size] = Q[b, i, h, d]
U[b:n, h:heads, d:size, j:l] = K[b, j, h, d]
S[b:n, h:heads, i:l, j:l] = sum(d:size) T[b, h, i, d] * U[b, h, d, j]
M[b:n, h:heads, i:l] = max(j:l) S[b, h, i, j]
E[b:n, h:heads, i:l, j:l] = exp(S[b, h, i, j] - M[b, h, i])
D[b:n, h:heads, i:l] = sum(j:l) E[b, h, i, j]
Y[b:n, h:heads, i:l, j:l] = E[b, h, i, j] / D[b, h, i]
)";
}

}  // namespace

BuiltinOperator TbsWorkload() {
  return {"tbs",
          "transposes, a batched matmul and softmax; no scale",
          {{"n", 1}, {"l", std::nullopt}, {"heads", std::nullopt}, {"size", std::nullopt}},
          TbsText};
}

}  // namespace schedulegym
