#include "env/gym/observations/builtin_observations.h"

#include <algorithm>

#include "env/base/option_range.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {
namespace {

constexpr int kHead = 4;
constexpr int kPerAction = 2;
constexpr int kMostLength = 1024;

class HistoryObservation : public Observation {
 public:
  HistoryObservation(std::string name, int length) : name_(std::move(name)), length_(length) {}

  std::string Name() const override { return name_; }
  int size() const override { return kHead + length_ * kPerAction; }
  Bounds bounds() const override { return {0, 1}; }

  std::string FeatureNames() const override {
    return "0: share of the episode's actions that were used\n"
           "1: log2(1 + actions taken), as a share of 32 doublings\n"
           "2: log2(1 + actions left), the same\n"
           "3: share of the actions below that are the newest one\n"
           "then for each of the last actions, the newest first:\n"
           "0: 1, the mask of the action\n"
           "1: its number, as a share of the greatest that the action space has\n";
  }

  void Write(const ObservationContext& context, std::span<float> numbers) const override {
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    const auto taken = static_cast<int>(context.actions.size());
    numbers[0] = Share(taken, context.horizon);
    numbers[1] = Log2Scaled(taken);
    numbers[2] = Log2Scaled(std::max(0, context.horizon - taken));
    const int count = std::min(taken, length_);
    const int greatest = std::max(1, context.action_count - 1);
    int repeats = 0;
    for (int i = 0; i < count; ++i) {
      const int action = context.actions[taken - 1 - i];
      float* pair = &numbers[kHead + static_cast<size_t>(i) * kPerAction];
      pair[0] = 1;
      pair[1] = Share(std::max(0, action), greatest);
      repeats += action == context.actions.back() ? 1 : 0;
    }
    if (count > 0) numbers[3] = Share(repeats, count);
  }

 private:
  std::string name_;
  int length_;
};

}  // namespace

std::unique_ptr<Observation> MakeHistoryObservation(const Spec& spec) {
  SpecReader reader(spec, "observation");
  const int length = ReadCount(reader, "observation history", {"length", 16, kMostLength});
  reader.Finish();
  return std::make_unique<HistoryObservation>(spec.ToText(), length);
}

}  // namespace schedulegym
