// The agent `es`: evolution strategies over the knobs, by the word of a model that is trained.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "agents/agent.h"
#include "agents/cost/network_model.h"
#include "env/base/rng.h"

namespace schedulegym {

// A normal distribution over [0, 1)^n with its own width for each number, which moves towards the
// better of its samples.
class NaturalStrategy {
 public:
  explicit NaturalStrategy(int numbers);

  // So many samples in units of the widths, one row each.
  std::vector<std::vector<double>> Draw(int samples, Rng& rng) const;
  // Position of a sample: mean + width * sample, within [0, 1).
  std::vector<double> At(std::span<const double> sample) const;
  // Moves by the order of the samples, the best first; `step` is of the mean.
  void Move(const std::vector<std::vector<double>>& samples, std::span<const size_t> order,
            double step);

  const std::vector<double>& means() const { return means_; }
  const std::vector<double>& widths() const { return widths_; }
  // The largest width is below this part of the first.
  bool HasSettled(double part) const;

 private:
  std::vector<double> means_, widths_;
};

// Weights of ranked samples, the best first; they sum to 0.
std::vector<double> RankUtilities(int samples);

std::unique_ptr<Agent> MakeEsAgent(const AgentContext& context, const NetworkReader& networks);

}  // namespace schedulegym
