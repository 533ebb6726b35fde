// QNetwork: values of actions, learned from transitions.
#pragma once

#include <optional>
#include <vector>

#include "agents/learned/batch.h"
#include "agents/learned/policy/adam.h"
#include "agents/learned/policy/dense_network.h"
#include "env/base/rng.h"

namespace schedulegym {

// FlexTensor's (flextensor/model.py), but for Adam by default; published Adadelta at rate 0.02.
struct QNetworkOptions {
  std::vector<int> hidden = {64, 64, 64};
  bool has_adadelta = false;
  double rate = 1e-3;
  double discount = 0.9;
  int epochs = 20;
  int batch = 32;
  // The network chooses the best next action, and the copy evaluates it (van Hasselt, Guez and
  // Silver, "Deep reinforcement learning with double Q-learning", AAAI 2016).
  bool is_double = true;
};

// Zeiler, "ADADELTA: an adaptive learning rate method", arXiv 1212.5701, with PyTorch's constants:
// steps as long as the earlier ones, over gradients as long as the earlier ones.
class Adadelta {
 public:
  // As Adam.
  Adadelta(const std::vector<at::Tensor>& parameters, double rate);
  ~Adadelta();
  Adadelta(Adadelta&&) noexcept;
  Adadelta& operator=(Adadelta&&) noexcept;

  void Step();

 private:
  double rate_;
  std::vector<at::Tensor> parameters_, gradients_, steps_;  // running squares
};

// An action, as a row of numbers with its state, and the actions that there were after it.
struct QTransition {
  std::vector<float> action;
  double reward = 0;
  std::vector<std::vector<float>> next;  // none where nothing follows
};

class QNetwork {
 public:
  QNetwork(int inputs, const QNetworkOptions& options, Rng rng);

  std::vector<float> Values(const RowBatch& actions) const;

  // Towards reward + discount * the best afterwards, by a copy that is made after each epoch, as
  // published. False where a loss is no finite number; then it learns no more from these.
  bool Learn(const std::vector<QTransition>& transitions);

  // Targets of transitions by the copy: reward + discount * the value of the best next action.
  std::vector<double> TargetsOf(const std::vector<QTransition>& transitions) const;

 private:
  void CopyWeights();

  QNetworkOptions options_;
  Rng rng_;
  int inputs_;
  DenseNetwork network_, copy_;
  Adam adam_;
  std::optional<Adadelta> adadelta_;  // in its place
};

}  // namespace schedulegym
