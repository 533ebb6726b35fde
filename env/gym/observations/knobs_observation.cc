#include "env/gym/observations/builtin_observations.h"

#include <algorithm>

#include "env/base/option_range.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {
namespace {

constexpr int kHead = 2;
constexpr int kPerKnob = 2;
constexpr int kMostKnobs = 1024;
constexpr int kMostSketches = 16;

class KnobsObservation : public Observation {
 public:
  KnobsObservation(std::string name, int most) : name_(std::move(name)), most_(most) {}

  std::string Name() const override { return name_; }
  int size() const override { return kHead + most_ * kPerKnob; }
  Bounds bounds() const override { return {0, 1}; }

  std::string FeatureNames() const override {
    return "0: share of the episode's actions that were used\n"
           "1: sketch that the knobs are of, as a share of 16\n"
           "then for each knob, in their order:\n"
           "0: 1, the mask of the knob\n"
           "1: position of its value, as a share of the last one's\n";
  }

  void Write(const ObservationContext& context, std::span<float> numbers) const override {
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    numbers[0] = Share(static_cast<double>(context.actions.size()), context.horizon);
    const KnobSpace* knobs = context.episode.knobs();
    if (knobs == nullptr) return;
    numbers[1] = Share(context.episode.sketch(), kMostSketches);
    const int count = std::min(most_, knobs->dimensions());
    for (int i = 0; i < count; ++i) {
      float* pair = &numbers[kHead + static_cast<size_t>(i) * kPerKnob];
      pair[0] = 1;
      pair[1] = Share(context.episode.point()[i], knobs->size_of(i) - 1);
    }
  }

 private:
  std::string name_;
  int most_;
};

}  // namespace

std::unique_ptr<Observation> MakeKnobsObservation(const Spec& spec) {
  SpecReader reader(spec, "observation");
  const int most = ReadCount(reader, "observation knobs", {"most", 48, kMostKnobs});
  reader.Finish();
  return std::make_unique<KnobsObservation>(spec.ToText(), most);
}

}  // namespace schedulegym
