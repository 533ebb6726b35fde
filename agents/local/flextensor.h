// The agent `flextensor`: annealed choice among measured places, then all or some of their moves.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "agents/agent.h"
#include "agents/common/place_book.h"

namespace schedulegym {

// Which of several moves of one decision is taken, learned from what earlier ones brought.
class MoveDirections {
 public:
  virtual ~MoveDirections() = default;

  // The position of one of the moves, at least one.
  virtual size_t Choose(const FieldPlace& from, const std::vector<FieldPlace>& moves) = 0;
  // What a move brought, and the moves that there are after it.
  virtual void Learn(const FieldPlace& from, const FieldPlace& to, double reward,
                     const std::vector<FieldPlace>& next) = 0;
  // Lessons of what it has heard so far.
  virtual void Train() = 0;
};

// How the network of method=q learns. Published: 20 epochs, not double, Adadelta at 0.02.
struct DirectionsOptions {
  double discount = 0.9;
  int epochs = 4;
  bool is_double = true;
  bool has_adadelta = false;  // else Adam
  double rate = 1e-3;
};

// The field outlives it.
using DirectionsMaker = std::function<std::unique_ptr<MoveDirections>(
    const KnobField& field, const DirectionsOptions& options, Rng rng)>;

// FlexTensor (Zheng et al., "FlexTensor: an automatic schedule exploration and optimization
// framework for tensor computation on heterogeneous system", ASPLOS 2020). Options: mode,
// `faithful` or `improved`; method, `p` (all moves of one place), `random` (one move of each
// decision of several places) or `q` (the same, as a network chooses, which `directions` makes);
// warm, places by chance before; gamma, how seldom slower places are taken; parallel, places by
// chance or begun from at once; moves, measured of one place at most (0: all); retire, whether the
// best leaves when no move of it is better; stop, turns without a change that end the search (0:
// none); cadence, of lessons and of what returns; of `q` alone epsilon, decay, floor, reward,
// discount, epochs, double, optimizer, rate; retries. Throws InputError.
std::unique_ptr<Agent> MakeFlextensorAgent(const AgentContext& context,
                                           const DirectionsMaker& directions = {});
// Whether a spec asks for the network. Throws InputError where something is wrong with it.
bool AsksForDirections(const AgentContext& context);

// exp(-gamma * (seconds - best) / best), with which a place is taken or remembered.
double FlextensorAcceptance(double seconds, double best, double gamma);
// The chance of a random move in a turn: max(epsilon * exp(-decay * turn), floor).
double FlextensorEpsilon(double epsilon, double decay, double floor, int turn);
// Of a move from one time to another: tanh(max(from - to, 0)) of milliseconds, as published.
double FlextensorReward(double from, double to);

}  // namespace schedulegym
