#include <cmath>

#include "env/base/text.h"
#include "env/program/workloads/workloads.h"

namespace schedulegym {
namespace {

std::string AttentionText(const std::vector<int64_t>& values) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(values[2]));
  return R"(
input Q[heads, t, d]
input K[heads, t, d]
input V[heads, t, d]
S[h:heads, i:t, j:t] = sum(r:d) Q[h, i, r] * K[h, j, r]
N[h:heads, i:t, j:t] = S[h, i, j] * )" +
         FormatDouble(scale) + R"(
M[h:heads, i:t] = max(j:t) N[h, i, j]
E[h:heads, i:t, j:t] = exp(N[h, i, j] - M[h, i])
D[h:heads, i:t] = sum(j:t) E[h, i, j]
A[h:heads, i:t, j:t] = E[h, i, j] / D[h, i]
Y[h:heads, i:t, r:d] = sum(j:t) A[h, i, j] * V[h, j, r]
)";
}

}  // namespace

BuiltinOperator AttentionWorkload() {
  return {"attention",
          "attention of several heads, one batch, scale 1 / sqrt(d)",
          {{"heads", std::nullopt}, {"t", std::nullopt}, {"d", std::nullopt}},
          AttentionText};
}

}  // namespace schedulegym
