// The active-set method (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23), on
// the normal equations G = A^T A, h = A^T b:
// 1. all x = 0 and bound; w = h - G x;
// 2. free the bound column of the largest w, if that is above 0, otherwise stop;
// 3. z = the least squares of the free columns; if all z > 0, set x = z and repeat from 2;
// 4. otherwise go from x towards z until the first free one is 0, bind it, and repeat from 3.
// Cost: O(rows * columns^2) once, then O(columns^3) a step.
#include "agents/cost/nonnegative_least_squares.h"

#include <Eigen/Dense>
#include <algorithm>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Below this share of the largest gradient at 0 a column gains nothing.
constexpr double kTolerance = 1e-10;
// Limit of steps for each column, as rounding could make the method cycle.
constexpr int kStepsPerColumn = 10;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class ActiveSet {
 public:
  ActiveSet(const RowMajor& matrix, const Eigen::VectorXd& targets)
      : gram_(matrix.transpose() * matrix),
        moments_(matrix.transpose() * targets),
        solution_(Eigen::VectorXd::Zero(matrix.cols())),
        free_(matrix.cols(), false) {}

  Eigen::VectorXd Run() {
    const double least = kTolerance * moments_.cwiseAbs().maxCoeff();
    for (size_t step = 0; step < kStepsPerColumn * free_.size(); ++step) {
      const Eigen::VectorXd gradient = moments_ - gram_ * solution_;
      const int best = MostPromising(gradient);
      if (best < 0 || gradient[best] <= least) break;
      free_[best] = true;
      while (!Descend()) {
      }
    }
    return solution_;
  }

 private:
  int MostPromising(const Eigen::VectorXd& gradient) const {
    int best = -1;
    for (int i = 0; i < gradient.size(); ++i) {
      if (free_[i] || gram_(i, i) == 0) continue;
      if (best < 0 || gradient[i] > gradient[best]) best = i;
    }
    return best;
  }

  // Returns whether all free columns are above 0; otherwise binds one of them.
  bool Descend() {
    const Eigen::VectorXd wanted = LeastSquares();
    double part = 1;
    int first = -1;
    for (int i = 0; i < wanted.size(); ++i) {
      if (!free_[i] || wanted[i] > 0) continue;
      const double reach = solution_[i] / (solution_[i] - wanted[i]);
      if (first >= 0 && reach >= part) continue;
      part = reach;
      first = i;
    }
    if (first < 0) {
      solution_ = wanted;
      return true;
    }
    solution_ += part * (wanted - solution_);
    solution_[first] = 0;
    free_[first] = false;
    return false;
  }

  // Solves for the free columns; the others are 0.
  Eigen::VectorXd LeastSquares() const {
    std::vector<int> columns;
    for (int i = 0; i < solution_.size(); ++i) {
      if (free_[i]) columns.push_back(i);
    }
    const Eigen::MatrixXd gram = gram_(columns, columns);
    const Eigen::VectorXd moments = moments_(columns);
    const Eigen::VectorXd found = gram.colPivHouseholderQr().solve(moments);
    Eigen::VectorXd all = Eigen::VectorXd::Zero(solution_.size());
    for (size_t i = 0; i < columns.size(); ++i) all[columns[i]] = found[static_cast<int>(i)];
    return all;
  }

  Eigen::MatrixXd gram_;
  Eigen::VectorXd moments_;
  Eigen::VectorXd solution_;
  std::vector<bool> free_;
};

}  // namespace

std::vector<double> NonnegativeLeastSquares(std::span<const double> matrix,
                                            std::span<const double> targets, int columns) {
  SG_CHECK(matrix.size() == targets.size() * static_cast<size_t>(columns), "whole rows");
  if (targets.empty()) return std::vector<double>(columns, 0);
  const Eigen::Map<const RowMajor> rows(matrix.data(), std::ssize(targets), columns);
  const Eigen::Map<const Eigen::VectorXd> wanted(targets.data(), std::ssize(targets));
  const Eigen::VectorXd solution = ActiveSet(rows, wanted).Run();
  return {solution.data(), solution.data() + solution.size()};
}

}  // namespace schedulegym
