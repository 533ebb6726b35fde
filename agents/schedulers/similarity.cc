#include "agents/schedulers/similarity.h"

#include <algorithm>
#include <cmath>

#include "env/program/analysis.h"

namespace schedulegym {
namespace {

constexpr double kLogBase = 1.618;
constexpr int kRoundsToCatchUp = 5;

// A term's arithmetic: tensors by letters in order of appearance, constants and axes by "#".
class TermText {
 public:
  explicit TermText(const Expr& term) { Append(term); }

  const std::string& text() const { return text_; }

 private:
  void Append(const Expr& expr) {
    if (expr->op == Op::kRead) {
      const auto known = std::find(reads_.begin(), reads_.end(), expr->id);
      text_ += static_cast<char>('a' + (known - reads_.begin()) % 26);
      if (known == reads_.end()) reads_.push_back(expr->id);
      return;
    }
    if (expr->args.empty()) {
      text_ += '#';
      return;
    }
    text_ += OpName(expr->op);
    text_ += '(';
    // Conditions of a select are about indices, so they are skipped.
    for (size_t i = expr->op == Op::kSelect ? 1 : 0; i < expr->args.size(); ++i) {
      if (text_.back() != '(') text_ += ',';
      Append(expr->args[i]);
    }
    text_ += ')';
  }

  std::vector<int> reads_;
  std::string text_;
};

std::string ReductionText(const Tensor& tensor) {
  return std::string(CombinerName(tensor.combiner)) + "." + DTypeName(tensor.type) + "." +
         std::to_string(tensor.axes.size()) + "." + std::to_string(tensor.reduce_axes.size()) +
         "." + TermText(tensor.body).text();
}

}  // namespace

std::string SimilarityTag(const ComputeDag& dag) {
  std::string tag;
  for (int id : dag.topological_order()) {
    const Tensor& tensor = dag.tensor(id);
    if (tensor.combiner != Combiner::kNone) tag += ReductionText(tensor) + "_";
  }
  if (tag.empty()) return tag;
  const double logarithm = std::log(CountFlops(dag) + 1) / std::log(kLogBase);
  return tag + std::to_string(static_cast<int64_t>(logarithm));
}

SimilarityGroups::SimilarityGroups(std::span<const std::string> tags, double beta)
    : tags_(tags.begin(), tags.end()), beta_(beta) {}

bool SimilarityGroups::AreTogether(int a, int b) const {
  return a != b && !tags_[a].empty() && tags_[a] == tags_[b];
}

std::optional<double> SimilarityGroups::BestSpeed(int task,
                                                  std::span<const TaskProgress> progress) const {
  std::optional<double> best = progress[task].speed;
  bool is_alone = true;
  for (int other = 0; other < static_cast<int>(tags_.size()); ++other) {
    if (!AreTogether(task, other)) continue;
    is_alone = false;
    best = std::max(best, progress[other].speed);
  }
  return is_alone ? std::nullopt : best;
}

void SimilarityGroups::Reconsider(int task, std::span<const TaskProgress> progress) {
  const std::optional<double> best = BestSpeed(task, progress);
  if (!best || progress[task].speed.value_or(0) >= *best / beta_) return;
  int most = 0;
  for (int other = 0; other < static_cast<int>(tags_.size()); ++other) {
    if (AreTogether(task, other)) most = std::max(most, progress[other].rounds);
  }
  if (progress[task].rounds > kRoundsToCatchUp + most) Leave(task);
}

}  // namespace schedulegym
