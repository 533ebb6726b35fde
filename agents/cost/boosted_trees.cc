// Gradient boosting by XGBoost (Chen and Guestrin, KDD 2016) with Ansor's loss: the weighted
// squared error of a program, the sum of its rows' predictions against its label. Training stops
// after `patience` rounds without a gain of 1e-5 of the error (checked every second round), or at
// `most_rounds`. One thread, since sums of several depend on their number. This project's Forest
// parses saved models, the library never does. Spread is the deviation of ten prefixes of the
// ensemble (virtual ensembles: Malinin, Prokhorenkova and Ustimenko, ICLR 2021).
#include "agents/cost/boosted_trees.h"

#include <xgboost/c_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "agents/cost/rank_pairs.h"
#include "agents/cost/shipped_models.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/json.h"
#include "env/base/model_state_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Share of the error: on few rows it falls for thousands of rounds by less.
constexpr double kLeastImprovement = 1e-5;

constexpr size_t kVirtualMembers = 10;

double DeviationOf(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / count);
}

// The error that must fall for training to continue.
double ErrorOf(const RowGroups& row_groups, std::span<const float> predictions,
               const BoostingOptions& options) {
  if (options.recall == 0) return RootMeanSquare(row_groups, predictions);
  return 1 - AverageRecall(row_groups, predictions, options.recall);
}

void Require(int code) { SG_CHECK(code == 0, std::string("xgboost: ") + XGBGetLastError()); }

class Matrix {
 public:
  explicit Matrix(const FeatureMatrix& features) {
    SG_CHECK(features.rows() > 0, "a matrix has rows");
    Require(XGDMatrixCreateFromMat(features.values.data(), features.rows(), features.columns,
                                   std::numeric_limits<float>::quiet_NaN(), &handle_));
  }
  ~Matrix() { XGDMatrixFree(handle_); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  DMatrixHandle get() const { return handle_; }

 private:
  DMatrixHandle handle_ = nullptr;
};

struct Booster {
  explicit Booster(const DMatrixHandle* data) { Require(XGBoosterCreate(data, 1, &handle)); }
  ~Booster() { XGBoosterFree(handle); }
  Booster(const Booster&) = delete;
  Booster& operator=(const Booster&) = delete;

  void Set(const char* name, const std::string& value) {
    Require(XGBoosterSetParam(handle, name, value.c_str()));
    names.emplace_back(name);
  }

  // Refuses names that are not parameters: the library accepts any name, and its
  // validate_parameters only warns.
  void RequireKnown() const {
    bst_ulong length = 0;
    const char* text = nullptr;
    Require(XGBoosterSaveJsonConfig(handle, &length, &text));
    const std::string_view config(text, length);
    for (const std::string& name : names) {
      SG_CHECK(config.find('"' + name + "\":") != std::string_view::npos,
               "xgboost has no parameter '" + name + "'");
    }
  }

  // Predicts for the training data.
  std::vector<float> Predict(DMatrixHandle data) const {
    bst_ulong count = 0;
    const float* values = nullptr;
    Require(XGBoosterPredict(handle, data, 0, 0, /*training=*/1, &count, &values));
    return {values, values + count};
  }

  // Returns the model as JSON.
  std::string ToText() const {
    bst_ulong length = 0;
    const char* text = nullptr;
    Require(XGBoosterSaveModelToBuffer(handle, R"({"format": "json"})", &length, &text));
    return {text, length};
  }

  BoosterHandle handle = nullptr;
  std::vector<std::string> names;  // of the parameters that were set
};

// Returns a nested member of a model that this program made.
Json& At(Json& value, std::initializer_list<std::string_view> names) {
  Json* member = &value;
  for (const std::string_view name : names) {
    member = member->Find(name);
    SG_CHECK(member != nullptr, "a model as XGBoost writes it");
  }
  return *member;
}

// Adds to the first row of each program; its score is the sum over its rows.
void AddMargins(const RowGroups& row_groups, std::span<const double> margins,
                std::vector<float>& predictions) {
  for (size_t i = 0; i < margins.size(); ++i) {
    predictions[static_cast<size_t>(row_groups.begin[i])] += static_cast<float>(margins[i]);
  }
}

}  // namespace

BoostedTrees::BoostedTrees(std::string text)
    : text_(std::make_shared<const std::string>(std::move(text))),
      forest_(std::make_shared<const Forest>(Forest::FromXgboost(*text_))) {}

BoostingOptions BoostingOptions::Quick() {
  BoostingOptions options;
  options.bins = true;
  options.most_rounds = 80;
  options.max_depth = 3;
  options.min_child_weight = 2;
  return options;
}

BoostingOptions BoostingOptions::Gentle() {
  BoostingOptions options = Quick();
  options.most_rounds = 40;
  options.eta = 0.1;
  return options;
}

BoostingOptions BoostingOptions::Large() {
  BoostingOptions options;
  options.bins = true;
  options.most_rounds = options.patience = 300;
  options.max_depth = 5;
  options.min_child_weight = 10;
  options.eta = 0.05;
  return options;
}

// Concatenates the trees of both in XGBoost's JSON; each has a prediction to begin with.
BoostedTrees BoostedTrees::Sum(const BoostedTrees& a, const BoostedTrees& b) {
  SG_CHECK(
      a.forest_->columns() == b.forest_->columns() && a.forest_->meaning() == b.forest_->meaning(),
      "of the same columns");
  Json sum = ParseJson(*a.text_).value();
  Json more = ParseJson(*b.text_).value();
  Json& model = At(sum, {"learner", "gradient_booster", "model"});
  Json& trees = At(model, {"trees"});
  for (Json& tree : At(more, {"learner", "gradient_booster", "model", "trees"}).elements()) {
    tree.Set("id", trees.size());
    trees.Add(std::move(tree));
  }
  const size_t count = trees.size();
  model.Set("tree_info", std::vector<int64_t>(count, 0));
  At(model, {"gbtree_model_param"}).Set("num_trees", std::to_string(count));
  double base = 0;
  for (Json* one : {&sum, &more}) {
    base += ParseDouble(At(*one, {"learner", "learner_model_param", "base_score"}).Text()).value();
  }
  At(sum, {"learner", "learner_model_param"}).Set("base_score", FormatDouble(base));
  return BoostedTrees(sum.ToText());
}

BoostedTrees BoostedTrees::Train(const FeatureMatrix& features, const RowGroups& row_groups,
                                 const BoostingOptions& options, const StopToken& stop,
                                 std::span<const double> margins) {
  SG_CHECK(features.rows() == row_groups.rows(), "a row of features for each row of the packs");
  const Matrix matrix(features);
  const DMatrixHandle data = matrix.get();
  Booster booster(&data);
  booster.Set("max_depth", std::to_string(options.max_depth));
  booster.Set("gamma", FormatDouble(options.gamma));
  booster.Set("min_child_weight", FormatDouble(options.min_child_weight));
  booster.Set("eta", FormatDouble(options.eta));
  booster.Set("lambda", FormatDouble(options.lambda));
  booster.Set("colsample_bynode", FormatDouble(options.column_share));
  booster.Set("tree_method", options.bins ? "hist" : "exact");
  booster.Set("seed", std::to_string(options.seed));
  booster.Set("nthread", "1");  // the sums of several depend on their number
  // `verbosity` is a parameter of the whole library, not of a booster.
  Require(XGBoosterSetParam(booster.handle, "verbosity", "0"));
  booster.RequireKnown();
  Require(XGBoosterSetAttr(booster.handle, kMeaningAttribute, features.meaning.c_str()));
  double least = std::numeric_limits<double>::infinity();
  int best_round = 0;
  for (int round = 0; round < options.most_rounds; ++round) {
    stop.Check();
    std::vector<float> predictions = booster.Predict(data);
    AddMargins(row_groups, margins, predictions);
    const bool is_looked_at = options.recall > 0 || round % 2 == 0;
    if (is_looked_at && round > 0) {
      const double error = ErrorOf(row_groups, predictions, options);
      if (error < least - kLeastImprovement) {
        least = error;
        best_round = round;
      }
      if (round - best_round >= options.patience) break;
    }
    Derivatives derivatives = options.loss == BoostingLoss::kRankPairs
                                  ? RankDerivativesOf(row_groups, predictions)
                                  : DerivativesOf(row_groups, predictions);
    Require(XGBoosterBoostOneIter(booster.handle, data, derivatives.gradient.data(),
                                  derivatives.hessian.data(), derivatives.gradient.size()));
  }
  return BoostedTrees(booster.ToText());
}

// The library never reads the file: it would parse text that is not JSON as its old format, checks
// neither lengths nor numbers of nodes, and recurses as deep as the text.
BoostedTrees BoostedTrees::Load(const std::string& path, int columns, const std::string& meaning) {
  return Parse(ReadSavedModel(path, {kBoostedKind}).text, "cost model '" + path + "'", columns,
               meaning);
}

BoostedTrees BoostedTrees::Parse(std::string text, const std::string& name, int columns,
                                 const std::string& meaning) {
  std::optional<BoostedTrees> trees;
  try {
    trees = BoostedTrees(std::move(text));
  } catch (const InputError& fault) {
    throw InputError(name + ": " + fault.what());
  }
  const Forest& forest = *trees->forest_;
  if (forest.columns() == columns && forest.meaning() == meaning) return *trees;
  throw InputError(name + " is of " + std::to_string(forest.columns()) + " features '" +
                   forest.meaning() + "', expected " + std::to_string(columns) + " features '" +
                   meaning + "'");
}

std::string BoostedTrees::ToText() const { return *text_; }

std::vector<float> BoostedTrees::Predict(const FeatureMatrix& features) const {
  std::vector<float> predictions;
  const std::span<const float> values(features.values);
  for (int row = 0; row < features.rows(); ++row) {
    predictions.push_back(forest_->Predict(
        values.subspan(static_cast<size_t>(row) * features.columns, features.columns)));
  }
  return predictions;
}

std::vector<BoostedTrees::Scored> BoostedTrees::Score(const FeatureMatrix& features,
                                                      const RowGroups& row_groups) const {
  SG_CHECK(features.rows() == row_groups.rows(), "a row of features for each row of the packs");
  const std::span<const float> values(features.values);
  std::vector<Scored> scored;
  for (int program = 0; program < row_groups.size(); ++program) {
    std::array<double, kVirtualMembers> members = {};
    for (int row = row_groups.begin[program]; row < row_groups.begin[program + 1]; ++row) {
      std::array<float, kVirtualMembers> stages;
      forest_->PredictStages(
          values.subspan(static_cast<size_t>(row) * features.columns, features.columns), stages);
      for (size_t i = 0; i < members.size(); ++i) members[i] += stages[i];
    }
    scored.push_back({members.back(), DeviationOf(members)});
  }
  return scored;
}

int BoostedTrees::rounds() const { return forest_->trees(); }

}  // namespace schedulegym
