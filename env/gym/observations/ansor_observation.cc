#include "env/gym/observations/builtin_observations.h"

#include <algorithm>

#include "env/base/option_range.h"
#include "env/features/ansor_features.h"

namespace schedulegym {
namespace {

constexpr int kMostRows = 64;
constexpr float kMostLogarithm = 64;

float Clipped(float value) { return std::clamp(value, -kMostLogarithm, kMostLogarithm); }

// A line for each of Ansor's numbers, from column `first` on.
std::string Names(int first, const std::string& what) {
  std::string text;
  for (const std::string& name : AnsorFeatureNames()) {
    text += std::to_string(first++) + ": " + what + name + "\n";
  }
  return text;
}

class AnsorRows : public Observation {
 public:
  AnsorRows(std::string name, int rows) : name_(std::move(name)), rows_(rows) {}

  std::string Name() const override { return name_; }
  int size() const override { return rows_ * kRow; }
  Bounds bounds() const override { return {-kMostLogarithm, kMostLogarithm}; }

  std::string FeatureNames() const override {
    return "for each statement, every number but flags sign(x) log2(1 + |x|):\n"
           "0: 1, the mask of the row\n" +
           Names(1, "");
  }

  void Write(const ObservationContext& context, std::span<float> numbers) const override {
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    const Result<ScheduleState>& state = context.episode.state();
    if (!state) return;
    const FeatureRows features = AnsorFeatures(*state);
    const int left_out = std::max(0, features.size() - rows_);
    for (int row = left_out; row < features.size(); ++row) {
      float* to = &numbers[static_cast<size_t>(row - left_out) * kRow];
      *to++ = 1;
      for (float value : features.Row(row)) *to++ = Clipped(value);
    }
  }

 private:
  static constexpr int kRow = 1 + AnsorLayout::kWidth;

  std::string name_;
  int rows_;
};

class AnsorPooled : public Observation {
 public:
  explicit AnsorPooled(std::string name) : name_(std::move(name)) {}

  std::string Name() const override { return name_; }
  int size() const override { return 1 + 2 * AnsorLayout::kWidth; }
  Bounds bounds() const override { return {-kMostLogarithm, kMostLogarithm}; }

  std::string FeatureNames() const override {
    return "0: statements\n" + Names(1, "greatest ") + Names(1 + AnsorLayout::kWidth, "mean ");
  }

  void Write(const ObservationContext& context, std::span<float> numbers) const override {
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    const Result<ScheduleState>& state = context.episode.state();
    if (!state) return;
    const FeatureRows features = AnsorFeatures(*state);
    if (features.size() == 0) return;
    numbers[0] = Clipped(static_cast<float>(features.size()));
    const std::span<float> greatest = numbers.subspan(1, AnsorLayout::kWidth);
    const std::span<float> mean = numbers.subspan(1 + AnsorLayout::kWidth);
    std::fill(greatest.begin(), greatest.end(), -kMostLogarithm);
    for (int row = 0; row < features.size(); ++row) {
      const std::span<const float> values = features.Row(row);
      for (int i = 0; i < AnsorLayout::kWidth; ++i) {
        const float value = Clipped(values[i]);
        greatest[i] = std::max(greatest[i], value);
        mean[i] += value / static_cast<float>(features.size());
      }
    }
    for (float& value : mean) value = Clipped(value);
  }

 private:
  std::string name_;
};

}  // namespace

std::unique_ptr<Observation> MakeAnsorObservation(const Spec& spec) {
  SpecReader reader(spec, "observation");
  const bool pooled = reader.Flag("pooled", false);
  const int rows = pooled ? 0 : ReadCount(reader, "observation ansor", {"rows", 16, kMostRows});
  reader.Finish();
  if (pooled) return std::make_unique<AnsorPooled>(spec.ToText());
  return std::make_unique<AnsorRows>(spec.ToText(), rows);
}

}  // namespace schedulegym
