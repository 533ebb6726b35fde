// Tuna (Wang et al., "Tuna: A Static Analysis Approach to Optimizing Deep Neural Networks", 2021):
// a linear score of static terms whose coefficients are fitted once for a machine. The terms here
// are those of the analytical estimate (analytical_cost.h), in seconds t; the coefficients c >= 0
// minimise sum over programs of (c * t / measured - 1)^2 (nonnegative_least_squares.h).
// Cost: one estimate a program; a fit of 8 columns.
#include "agents/cost/tuna_cost_model.h"

#include <algorithm>
#include <cmath>

#include "agents/cost/nonnegative_least_squares.h"
#include "agents/cost/same_kind.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Fewest programs for a fit.
constexpr size_t kLeastSamples = 2;
constexpr const char* kSums = "terms sum";
constexpr const char* kRooflines = "terms roofline";

[[noreturn]] void Refuse(const std::string& found, const std::string& expected) {
  throw InputError("coefficients of tuna: found '" + found + "', expected " + expected);
}

// Reads a line such as "memory 1.25".
double ReadCoefficient(const std::string& line, const std::string& name) {
  const std::string expected = "'" + name + "' and a number of at least 0";
  if (!line.starts_with(name + " ")) Refuse(line, expected);
  const std::optional<double> number = ParseDouble(line.substr(name.size() + 1));
  if (!number || !std::isfinite(*number) || *number < 0) Refuse(line, expected);
  return *number;
}

}  // namespace

TunaCostModel::TunaCostModel(const TunaOptions& options, const StopToken& stop)
    : options_(options), stop_(stop), is_fixed_(!options.fitted) {
  if (!is_fixed_) return;
  coefficients_.emplace();
  coefficients_->fill(1);
}

std::vector<std::optional<Prediction>> TunaCostModel::Predict(
    std::span<const StateFeatures> states) {
  TrainNow();
  std::vector<std::optional<Prediction>> predictions(states.size());
  if (!coefficients_ || states.empty()) return predictions;
  threads_.For(
      static_cast<int>(states.size()), SearchThreads(states[0].task()),
      [&](int i) {
        const CostTerms terms = TermsOf(EstimateCost(states[i].state()), options_.roofline);
        const double seconds = SecondsBy(*coefficients_, terms);
        if (seconds > 0) predictions[i] = Prediction{1 / seconds, seconds, {}, 1 / seconds};
      },
      stop_);
  return predictions;
}

void TunaCostModel::Learn(std::span<const MeasuredState> measured) {
  if (is_fixed_) return;
  for (const MeasuredState& one : measured) {
    const std::pair<Key, Key> key = {TaskKey(one.state.task()), one.key};
    is_new_ = true;
    if (one.seconds) {
      samples_[key] = {TermsOf(EstimateCost(one.state), options_.roofline), *one.seconds};
    } else {
      samples_.erase(key);
    }
  }
}

void TunaCostModel::TrainNow() {
  if (!is_new_ || samples_.size() < kLeastSamples) return;
  std::vector<double> matrix;
  for (const auto& [key, sample] : samples_) {
    for (double seconds : sample.terms.seconds) matrix.push_back(seconds / sample.seconds);
  }
  const std::vector<double> ones(samples_.size(), 1);
  const std::vector<double> found =
      NonnegativeLeastSquares(matrix, ones, static_cast<int>(CostTerms::kCount));
  std::ranges::copy(found, coefficients_.emplace().begin());
  is_new_ = false;
  ++trainings_;
}

std::unique_ptr<LearningModel> TunaCostModel::JoinedWith(
    std::span<const LearningModel* const> others) const {
  auto all = std::make_unique<TunaCostModel>(*this);
  for (const LearningModel* other : others) {
    for (const auto& [key, sample] : SameKind(*this, *other).samples_) all->samples_[key] = sample;
    all->is_new_ = true;
  }
  return all;
}

std::optional<std::string> TunaCostModel::Save() {
  TrainNow();
  if (!coefficients_) return std::nullopt;
  std::string text = std::string(options_.roofline ? kRooflines : kSums) + "\n";
  for (size_t i = 0; i < CostTerms::kCount; ++i) {
    text += std::string(CostTerms::Names()[i]) + " " + FormatDouble((*coefficients_)[i]) + "\n";
  }
  return text;
}

void TunaCostModel::Load(std::string_view text) {
  const std::vector<std::string> lines = SplitLines(text);
  const std::string head = lines.empty() ? "" : lines[0];
  if (head != kSums && head != kRooflines) {
    Refuse(head, std::string("'") + kSums + "' or '" + kRooflines + "'");
  }
  std::array<double, CostTerms::kCount> read = {};
  for (size_t i = 0; i < CostTerms::kCount; ++i) {
    read[i] = ReadCoefficient(i + 1 < lines.size() ? lines[i + 1] : "", CostTerms::Names()[i]);
  }
  options_.roofline = head == kRooflines;
  coefficients_ = read;
  is_fixed_ = true;
}

}  // namespace schedulegym
