// RankedModel: the trees of earlier searches over loop features, and what later ones begin from.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/cost/boosted_trees.h"
#include "agents/cost/row_group_sum.h"
#include "env/base/hash.h"
#include "env/base/model_state_file.h"
#include "env/base/stop_token.h"
#include "env/measure/measurement.h"
#include "env/schedule/state.h"

namespace schedulegym {

inline constexpr const char* kRankedKind = "ranked 1";        // by the loss of all pairs
inline constexpr const char* kRegressedKind = "regressed 1";  // by squared error

// Without rows: of loop features, Ansor's.
FeatureMatrix EmptyLoopMatrix();

// Trees that a search begins with; none until a file is read. Its surrogates share them.
struct TransferredTrees {
  std::optional<BoostedTrees> trees;
  double discount = 64;  // measurements that halve their weight
};

// 2^(-measurements / discount), and 0 below 0.05 (TVM, xgboost_cost_model.py).
double TransferWeight(int measurements, double discount);

// By program the sum of what the trees say of its rows.
std::vector<double> TransferScores(const BoostedTrees& trees, const FeatureMatrix& matrix,
                                   const RowGroups& row_groups);

// What all tasks of a run have taught: trees on Ansor's features of every measured schedule, whose
// labels are parts of the best speed of its task, failures 0; at most 400, ended by 100 without
// gain of the recall at twice the plan (TVM, xgboost_cost_model.py: fit_log). Cost of pairs:
// squared.
class RankedModel : public ModelState {
 public:
  RankedModel(const BoostingOptions& trees, std::shared_ptr<TransferredTrees> begun,
              const StopToken& stop);

  // Of a file that Save wrote. Throws InputError.
  void ReadFile(const std::string& path);
  // A record replaces an earlier one of the same schedule.
  void Learn(const ScheduleState& state, const Key& key, const Measurement& measurement);

  std::string Kind() const override;
  // Those that it began with where nothing was learned.
  std::optional<std::string> Save() override;
  void Load(std::string_view text) override;

 private:
  struct Sample {
    ScheduleState state;
    std::optional<double> seconds;
  };

  BoostingOptions options_;
  std::shared_ptr<TransferredTrees> begun_;
  StopToken stop_;
  std::map<Key, std::map<Key, Sample>> tasks_;  // by schedule
};

}  // namespace schedulegym
