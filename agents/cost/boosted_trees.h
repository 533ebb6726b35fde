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
  kRankPairs,  // of all pairs of programs (rank_pairs.h)
};

// Ansor's (TVM 0.16, xgb_model.py).
struct BoostingOptions {
  BoostingLoss loss = BoostingLoss::kSquared;
  int max_depth = 10;
  double gamma = 0.001;
  double min_child_weight = 0;
  double eta = 0.2;
  double lambda = 1;        // of squared leaves
  double column_share = 1;  // of features that are tried at each split
  // Of features, at each split all values are tried (what the published default comes to on so few
  // rows), or those at the borders of 256 bins, which is faster.
  bool bins = false;
  int seed = 43;
  int most_rounds = 10000;
  // Rounds without a smaller error on the training data, looked at every other round, end it.
  int patience = 50;
  // Above 0, what has to grow instead, in each round: the recall of so many (AverageRecall).
  int recall = 0;

  // Few shallow trees: what told best of later schedules after 64 and 128 of the same search
  // (model_benchmark).
  static BoostingOptions Quick();
  // Of a few dozen programs, to correct trees that know more.
  static BoostingOptions Gentle();
  // Of thousands of programs of many tasks, where most of what a deep tree tells apart is noise.
  static BoostingOptions Large();
};

// Rows of equal length, one after another.
struct FeatureMatrix {
  std::vector<float> values;
  int columns = 0;
  std::string meaning;  // of the columns, with its version, such as "ansor 1"

  int rows() const { return columns == 0 ? 0 : static_cast<int>(values.size()) / columns; }
};

// The kind and version of the text, as memories have it (env/base/model_state_file.h).
inline constexpr const char* kBoostedKind = "boosted 1";

// An immutable model; copying shares.
class BoostedTrees {
 public:
  // From nothing. A row of the matrix for each row of the packs, at least one. `margins`: by
  // program, what is added to its score while the trees are trained, and later by whoever asks
  // them.
  static BoostedTrees Train(const FeatureMatrix& features, const RowGroups& row_groups,
                            const BoostingOptions& options, const StopToken& stop = {},
                            std::span<const double> margins = {});
  // From a file of a memory of this kind, which holds ToText, or that a stranger made. Throws
  // InputError for one that cannot be read, is no model (forest.h), or is one of other columns or
  // of another meaning.
  static BoostedTrees Load(const std::string& path, int columns, const std::string& meaning);
  // The same of a text; `name` is what an InputError calls it.
  static BoostedTrees Parse(std::string text, const std::string& name, int columns,
                            const std::string& meaning);
  // Trees that predict of a row what the two do together; both of the same columns and meaning.
  static BoostedTrees Sum(const BoostedTrees& a, const BoostedTrees& b);
  // JSON.
  std::string ToText() const;

  // By row. Threads may ask at once.
  std::vector<float> Predict(const FeatureMatrix& features) const;

  // By program. `spread` is the deviation of what a virtual ensemble says of it: the trees'
  // beginnings of half of them up to all, ten of them (Malinin, Prokhorenkova and Ustimenko,
  // "Uncertainty in gradient boosting via ensembles", ICLR 2021, section 4).
  struct Scored {
    double score = 0;
    double spread = 0;
  };
  std::vector<Scored> Score(const FeatureMatrix& features, const RowGroups& row_groups) const;

  int rounds() const;
  // How many nodes of the trees split by each column.
  std::vector<int> SplitCounts() const { return forest_->SplitCounts(); }

 private:
  // Of a model in JSON; what it says is asked of `forest_` alone.
  explicit BoostedTrees(std::string text);

  std::shared_ptr<const std::string> text_;
  std::shared_ptr<const Forest> forest_;
};

}  // namespace schedulegym
