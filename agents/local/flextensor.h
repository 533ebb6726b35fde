// The agent `flextensor`: annealed choice of measured places, then all or some of their moves.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "agents/agent.h"
#include "agents/common/place_book.h"

namespace schedulegym {

// Chooses among the moves of one decision, from the rewards of earlier moves.
class MoveDirections {
 public:
  virtual ~MoveDirections() = default;

  // Returns the position of one of `moves`, which has at least one.
  virtual size_t Choose(const FieldPlace& from, const std::vector<FieldPlace>& moves) = 0;
  // Takes the reward of a move and the moves from its end.
  virtual void Learn(const FieldPlace& from, const FieldPlace& to, double reward,
                     const std::vector<FieldPlace>& next) = 0;
  // Trains on the rewards so far.
  virtual void Train() = 0;
};

// Training of the network of method=q. Published: 20 epochs, not double, Adadelta at 0.02.
struct DirectionsOptions {
  double discount = 0.9;
  int epochs = 4;
  bool is_double = true;
  bool has_adadelta = false;  // else Adam
  double rate = 1e-3;
};

// The field outlives the result.
using DirectionsMaker = std::function<std::unique_ptr<MoveDirections>(
    const KnobField& field, const DirectionsOptions& options, Rng rng)>;

// FlexTensor (Zheng et al., "FlexTensor: an automatic schedule exploration and optimization
// framework for tensor computation on heterogeneous system", ASPLOS 2020). Options: mode,
// `faithful` or `improved`; method, `p` (all moves of one place), `random` (one move of each
// decision of several places) or `q` (the same, chosen by a network, made by `directions`); warm,
// initial random places; gamma, the higher the rarer slower places are taken; parallel, random or
// start places at once; moves, the maximum measured from one place (0: all); retire, whether the
// best leaves when none of its moves is better; stop, turns without a change that end the search
// (0: none); cadence, of training and returning places; only for `q`: epsilon, decay, floor,
// reward, discount, epochs, double, optimizer, rate; retries. Throws InputError.
std::unique_ptr<Agent> MakeFlextensorAgent(const AgentContext& context,
                                           const DirectionsMaker& directions = {});
// Returns whether the spec uses the network. Throws InputError if the spec is not valid.
bool AsksForDirections(const AgentContext& context);

// exp(-gamma * (seconds - best) / best): the probability to take or remember a place.
double FlextensorAcceptance(double seconds, double best, double gamma);
// The probability of a random move in a turn: max(epsilon * exp(-decay * turn), floor).
double FlextensorEpsilon(double epsilon, double decay, double floor, int turn);
// The reward of a move between two times: tanh(max(from - to, 0)) of milliseconds, as published.
double FlextensorReward(double from, double to);

}  // namespace schedulegym
