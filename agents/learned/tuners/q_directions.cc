#include "agents/learned/tuners/q_directions.h"

#include <algorithm>
#include <deque>
#include <vector>

#include "agents/learned/policy/q_network.h"
#include "agents/learned/policy/torch_setting.h"
#include "agents/learned/tuners/place_rows.h"

namespace schedulegym {
namespace {

constexpr size_t kMostTransitions = 1000;  // FlexTensor's
constexpr size_t kMostNext = 16;           // moves after one, which bounds the cost of a sample

class QDirections : public MoveDirections {
 public:
  QDirections(const KnobField& field, const QNetworkOptions& options, Rng rng)
      : field_(field), network_(2 * field.columns(), options, rng) {}

  size_t Choose(const FieldPlace& from, const std::vector<FieldPlace>& moves) override {
    RowBatch rows(2 * field_.columns(), static_cast<int>(moves.size()));
    for (size_t i = 0; i < moves.size(); ++i) {
      std::ranges::copy(ActionOf(from, moves[i]), rows[static_cast<int>(i)].begin());
    }
    const std::vector<float> values = network_.Values(rows);
    return static_cast<size_t>(std::ranges::max_element(values) - values.begin());
  }

  void Learn(const FieldPlace& from, const FieldPlace& to, double reward,
             const std::vector<FieldPlace>& next) override {
    QTransition transition = {ActionOf(from, to), reward, {}};
    for (size_t i = 0; i < std::min(next.size(), kMostNext); ++i) {
      transition.next.push_back(ActionOf(to, next[i]));
    }
    transitions_.push_back(std::move(transition));
    if (transitions_.size() > kMostTransitions) transitions_.pop_front();
  }

  void Train() override { network_.Learn({transitions_.begin(), transitions_.end()}); }

 private:
  std::vector<float> ActionOf(const FieldPlace& from, const FieldPlace& to) const {
    std::vector<float> action = PolicyRow(field_, from);
    const std::vector<float> after = PolicyRow(field_, to);
    for (size_t i = 0; i < after.size(); ++i) action.push_back(after[i] - action[i]);
    return action;
  }

  const KnobField& field_;
  QNetwork network_;
  std::deque<QTransition> transitions_;
};

}  // namespace

std::unique_ptr<MoveDirections> MakeQDirections(const KnobField& field,
                                                const DirectionsOptions& options, Rng rng) {
  UseOneTorchThread();
  QNetworkOptions network;
  network.discount = options.discount;
  network.is_double = options.is_double;
  network.epochs = options.epochs;
  network.has_adadelta = options.has_adadelta;
  network.rate = options.rate;
  return std::make_unique<QDirections>(field, network, rng);
}

}  // namespace schedulegym
