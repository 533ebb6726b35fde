#include "agents/learned/running_normaliser.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Columns with a smaller deviation count as constant.
constexpr double kLeastDeviation = 1e-8;

}  // namespace

RunningNormaliser::RunningNormaliser(int columns, double limit)
    : RunningNormaliser(State{.means = std::vector<double>(static_cast<size_t>(columns)),
                              .squares = std::vector<double>(static_cast<size_t>(columns))},
                        limit) {}

RunningNormaliser::RunningNormaliser(State state, double limit)
    : limit_(limit), state_(std::move(state)) {
  SG_CHECK(limit > 0, "a limit above 0");
  SG_CHECK(!state_.means.empty() && state_.means.size() == state_.squares.size(),
           "a mean and a sum of each column");
}

void RunningNormaliser::Learn(std::span<const float> row) {
  SG_CHECK(std::ssize(row) == columns(), "a number for each column");
  ++state_.rows;
  const double weight = 1.0 / static_cast<double>(state_.rows);
  for (size_t i = 0; i < row.size(); ++i) {
    SG_CHECK(std::isfinite(row[i]), "a number");
    const double before = row[i] - state_.means[i];
    state_.means[i] += before * weight;
    state_.squares[i] += before * (row[i] - state_.means[i]);
  }
}

void RunningNormaliser::Learn(const RowBatch& rows) {
  for (int row = 0; row < rows.rows(); ++row) Learn(rows[row]);
}

std::vector<double> RunningNormaliser::Scales() const {
  const double rows = static_cast<double>(std::max<int64_t>(state_.rows, 1));
  std::vector<double> scales;
  for (const double square : state_.squares) {
    const double deviation = std::sqrt(square / rows);
    scales.push_back(deviation < kLeastDeviation ? 0 : 1 / deviation);
  }
  return scales;
}

void RunningNormaliser::Apply(std::span<float> row, std::span<const double> scales) const {
  SG_CHECK(std::ssize(row) == columns(), "a number for each column");
  for (size_t i = 0; i < row.size(); ++i) {
    const double scaled = (row[i] - state_.means[i]) * scales[i];
    row[i] = static_cast<float>(std::clamp(scaled, -limit_, limit_));
  }
}

void RunningNormaliser::Apply(std::span<float> row) const { Apply(row, Scales()); }

void RunningNormaliser::Apply(RowBatch& rows) const {
  const std::vector<double> scales = Scales();
  for (int row = 0; row < rows.rows(); ++row) Apply(rows[row], scales);
}

}  // namespace schedulegym
