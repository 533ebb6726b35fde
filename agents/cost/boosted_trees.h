// BoostedTrees: regression trees, each correcting those before it, over rows in packs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/cost/forest.h"
#include "agents/cost/row_group_sum.h"
#include "env/base/stop_token.h"

namespace schedulegym {

enum class BoostingLoss : uint8_t {
  kSquared,    // Ansor's: the weighted squared error of programs (row_group_sum.h)
  kRankPairs,  // over all pairs of programs (rank_pairs.h)
};

// Defaults are Ansor's (TVM 0.16, xgb_model.py).
struct BoostingOptions {
  BoostingLoss loss = BoostingLoss::kSquared;
  int max_depth = 10;
  double gamma = 0.001;
  double min_child_weight = 0;
  double eta = 0.2;
  double lambda = 1;        // L2 penalty on leaf values
  double column_share = 1;  // share of features tried at each split
  // false: each split tries all values of a feature, as the published default does on so few rows.
  // true: only the borders of 256 bins, which is faster.
  bool bins = false;
  int seed = 43;
  int most_rounds = 10000;
  // Training ends after so many rounds without a smaller training error, checked every other round.
  int patience = 50;
  // If above 0: training must increase AverageRecall of so many instead, checked every round.
  int recall = 0;

  // Few shallow trees: the best predictions of later schedules after 64 and 128 schedules of the
  // same search (model_benchmark).
  static BoostingOptions Quick();
  // For a few dozen programs, to correct trees trained on more.
  static BoostingOptions Gentle();
  // For thousands of programs of many tasks, where deep trees mostly fit noise.
  static BoostingOptions Large();
};

// Rows of equal length, one after another.
struct FeatureMatrix {
  std::vector<float> values;
  int columns = 0;
  std::string meaning;  // of the columns, with its version, such as "ansor 1"

  int rows() const { return columns == 0 ? 0 : static_cast<int>(values.size()) / columns; }
};

// Kind and version of the text in a model-state file (env/base/model_state_file.h).
inline constexpr const char* kBoostedKind = "boosted 1";

// An immutable model; copies share the data.
class BoostedTrees {
 public:
  // Trains from scratch. `features` has a row for each row of the groups, at least one. `margins`,
  // one per program, are added to the scores during training; the caller adds them to predictions.
  static BoostedTrees Train(const FeatureMatrix& features, const RowGroups& row_groups,
                            const BoostingOptions& options, const StopToken& stop = {},
                            std::span<const double> margins = {});
  // Reads a model-state file of kBoostedKind, which need not be trusted. Throws InputError if it
  // cannot be read, is not a model (forest.h), or has other columns or another meaning.
  static BoostedTrees Load(const std::string& path, int columns, const std::string& meaning);
  // As Load, from a text; errors begin with `name`.
  static BoostedTrees Parse(std::string text, const std::string& name, int columns,
                            const std::string& meaning);
  // Trees that predict the sum of both predictions; both have the same columns and meaning.
  static BoostedTrees Sum(const BoostedTrees& a, const BoostedTrees& b);
  // JSON.
  std::string ToText() const;

  // One prediction per row. Threads may call it concurrently.
  std::vector<float> Predict(const FeatureMatrix& features) const;

  // The score of a program. `spread` is the standard deviation over a virtual ensemble: ten
  // prefixes of the trees, from half of them to all (Malinin, Prokhorenkova and Ustimenko,
  // "Uncertainty in gradient boosting via ensembles", ICLR 2021, section 4).
  struct Scored {
    double score = 0;
    double spread = 0;
  };
  std::vector<Scored> Score(const FeatureMatrix& features, const RowGroups& row_groups) const;

  int rounds() const;
  // Number of nodes that split by each column.
  std::vector<int> SplitCounts() const { return forest_->SplitCounts(); }

 private:
  // `text` is a model in JSON. Predictions use only `forest_`.
  explicit BoostedTrees(std::string text);

  std::shared_ptr<const std::string> text_;
  std::shared_ptr<const Forest> forest_;
};

}  // namespace schedulegym
