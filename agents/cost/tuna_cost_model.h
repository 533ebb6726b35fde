// TunaCostModel: the analytical estimate's terms with coefficients fitted for a machine.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/parallel.h"
#include "env/base/hash.h"
#include "env/features/cost_terms.h"
#include "env/search/cost_model.h"

namespace schedulegym {

inline constexpr const char* kTunaKind = "tuna 1";

struct TunaOptions {
  bool roofline = false;
  bool fitted = true;  // else each coefficient is 1, and nothing is learned
};

// Predicts sum of coefficient * term. Coefficients are those, none negative, of least squared
// relative error over all successes that it has learned; two are needed. Loaded ones stay: they are
// the machine's.
class TunaCostModel : public LearningModel, public ModelState {
 public:
  explicit TunaCostModel(const TunaOptions& options, const StopToken& stop = {});

  // By term. None before it was trained.
  const std::optional<TermCoefficients>& coefficients() const { return coefficients_; }

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override;
  void Learn(std::span<const MeasuredState> measured) override;
  ModelState* memory() override { return this; }
  TrainingProgress progress() const override {
    return {coefficients_.has_value(), static_cast<int>(samples_.size()), trainings_};
  }
  void TrainNow() override;
  std::unique_ptr<LearningModel> JoinedWith(
      std::span<const LearningModel* const> others) const override;

  std::string Kind() const override { return kTunaKind; }
  // Which terms, then a line for each: "memory 1.25".
  std::optional<std::string> Save() override;
  void Load(std::string_view text) override;

 private:
  struct Sample {
    CostTerms terms;
    double seconds = 0;
  };

  TunaOptions options_;
  StopToken stop_;
  std::map<std::pair<Key, Key>, Sample> samples_;  // by task and state; successes
  bool is_fixed_ = false;                          // its coefficients
  bool is_new_ = false;                            // something since the last training
  int trainings_ = 0;
  WaitingThreads threads_;
  std::optional<TermCoefficients> coefficients_;
};

}  // namespace schedulegym
