#include "agents/cost/boosted_trees.h"

#include <xgboost/c_api.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/program/text_file.h"

namespace schedulegym {
namespace {

// The attribute of a model that tells what its columns mean.
constexpr const char* kMeaning = "schedulegym_features";

// Of the error: on few rows it falls for thousands of rounds by less.
constexpr double kLeastImprovement = 1e-5;

// Ten thousand trees of depth 10.
constexpr size_t kMostMebibytes = 2048;

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

}  // namespace

struct BoostedTrees::Booster {
  explicit Booster(const DMatrixHandle* data) {
    Require(XGBoosterCreate(data, data ? 1 : 0, &handle));
  }
  ~Booster() { XGBoosterFree(handle); }
  Booster(const Booster&) = delete;
  Booster& operator=(const Booster&) = delete;

  void Set(const char* name, const std::string& value) {
    Require(XGBoosterSetParam(handle, name, value.c_str()));
  }

  // Of the data it is trained on.
  std::vector<float> Predict(DMatrixHandle data) const {
    bst_ulong count = 0;
    const float* values = nullptr;
    Require(XGBoosterPredict(handle, data, 0, 0, /*training=*/1, &count, &values));
    return {values, values + count};
  }

  // JSON.
  std::string ToText() const {
    bst_ulong length = 0;
    const char* text = nullptr;
    Require(XGBoosterSaveModelToBuffer(handle, R"({"format": "json"})", &length, &text));
    return {text, length};
  }

  BoosterHandle handle = nullptr;
};

BoostedTrees::BoostedTrees(std::shared_ptr<Booster> booster)
    : booster_(std::move(booster)),
      forest_(std::make_shared<const Forest>(Forest::FromXgboost(booster_->ToText()))) {}

BoostedTrees BoostedTrees::Train(const FeatureMatrix& features, const Packs& packs,
                                 const BoostingOptions& options) {
  SG_CHECK(features.rows() == packs.rows(), "a row of features for each row of the packs");
  const Matrix matrix(features);
  const DMatrixHandle data = matrix.get();
  auto booster = std::make_shared<Booster>(&data);
  booster->Set("max_depth", std::to_string(options.max_depth));
  booster->Set("gamma", FormatDouble(options.gamma));
  booster->Set("min_child_weight", FormatDouble(options.min_child_weight));
  booster->Set("eta", FormatDouble(options.eta));
  booster->Set("tree_method", options.bins ? "hist" : "exact");
  booster->Set("seed", std::to_string(options.seed));
  booster->Set("nthread", "1");  // the sums of several depend on their number
  booster->Set("verbosity", "0");
  Require(XGBoosterSetAttr(booster->handle, kMeaning, features.meaning.c_str()));
  double least = std::numeric_limits<double>::infinity();
  int best_round = 0;
  for (int round = 0; round < options.most_rounds; ++round) {
    const std::vector<float> predictions = booster->Predict(data);
    const bool is_looked_at = round % 2 == 0;
    if (is_looked_at && round > 0) {
      const double error = RootMeanSquare(packs, predictions);
      if (error < least - kLeastImprovement) {
        least = error;
        best_round = round;
      }
      if (round - best_round >= options.patience) break;
    }
    Derivatives derivatives = DerivativesOf(packs, predictions);
    Require(XGBoosterBoostOneIter(booster->handle, data, derivatives.gradient.data(),
                                  derivatives.hessian.data(), derivatives.gradient.size()));
  }
  return BoostedTrees(std::move(booster));
}

BoostedTrees BoostedTrees::Load(const std::string& path, int columns, const std::string& meaning) {
  const std::string text = ReadTextFile(path, kMostMebibytes);
  auto booster = std::make_shared<Booster>(nullptr);
  // The library would take what is no JSON for its old format, in which no length is checked. What
  // it says is of its own sources, and over several lines.
  const bool is_json = text.starts_with('{');
  if (!is_json || XGBoosterLoadModelFromBuffer(booster->handle, text.data(), text.size()) != 0) {
    throw InputError("'" + path + "' is no cost model, or a torn one");
  }
  bst_ulong found = 0;
  Require(XGBoosterGetNumFeature(booster->handle, &found));
  const char* said = "";
  int says = 0;
  Require(XGBoosterGetAttr(booster->handle, kMeaning, &said, &says));
  if (static_cast<int>(found) != columns || says == 0 || said != meaning) {
    throw InputError("cost model '" + path + "' is of " + std::to_string(found) + " features '" +
                     (says ? said : "") + "', expected " + std::to_string(columns) + " features '" +
                     meaning + "'");
  }
  return BoostedTrees(std::move(booster));
}

std::string BoostedTrees::ToText() const { return booster_->ToText(); }

std::vector<float> BoostedTrees::Predict(const FeatureMatrix& features) const {
  std::vector<float> predictions;
  const std::span<const float> values(features.values);
  for (int row = 0; row < features.rows(); ++row) {
    predictions.push_back(forest_->Predict(
        values.subspan(static_cast<size_t>(row) * features.columns, features.columns)));
  }
  return predictions;
}

int BoostedTrees::rounds() const {
  int rounds = 0;
  Require(XGBoosterBoostedRounds(booster_->handle, &rounds));
  return rounds;
}

}  // namespace schedulegym
