// PpoOptions: how an actor and its critic learn.
#pragma once

#include <optional>

namespace schedulegym {

// Rates, the discount's companions and weights are HARL's (Zhang, He and Zhang, ICPP 2022), known
// from recollection only: nobody has published its code. The rest it does not tell.
struct PpoOptions {
  double actor_rate = 3e-4;
  double critic_rate = 1e-3;
  double value_weight = 0.5;
  double entropy_weight = 0.01;
  double clip = 0.2;  // Schulman et al., arXiv 1707.06347, table 3
  int epochs = 3;     // Chameleon's code (Ahn et al., ICLR 2020)
  int batch = 256;    // rows of one step, at most; our own choice
  // The gradients of actor and critic together are no longer than this; MLIR-RL's code has 0.5.
  std::optional<double> longest_gradient = 0.5;
  double epsilon = 1e-8;   // of both Adams
  bool normalised = true;  // advantages, over all rows at hand

  bool operator==(const PpoOptions&) const = default;
};

}  // namespace schedulegym
