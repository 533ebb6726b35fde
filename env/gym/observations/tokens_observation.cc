// The observation `tokens(length=48, fields=20)`: 3 numbers, then a row for each of the last
// `length` primitives of the trace: a mask, one-hot kind, and its fields in order; lists begin with
// their length. Positions x are (x + 1) / 64, lengths log2(1 + x) / 32, names hashes in [0, 1]; all
// within [0, 1]. Shape (3 + length * (1 + kinds + fields),) of f32. Cost: O(length * fields).
#include "env/gym/observations/builtin_observations.h"

#include <algorithm>

#include "env/base/option_range.h"
#include "env/features/trace_tokens.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {
namespace {

constexpr int kHead = 3;
constexpr int kMostLength = 512;
constexpr int kMostFields = 64;
constexpr int kKinds = kTokenKinds;

class TokensObservation : public Observation {
 public:
  TokensObservation(std::string name, int length, int fields)
      : name_(std::move(name)), length_(length), fields_(fields) {}

  std::string Name() const override { return name_; }
  int size() const override { return kHead + length_ * RowSize(); }
  Bounds bounds() const override { return {0, 1}; }

  std::string FeatureNames() const override {
    std::string text =
        "0: log2(1 + primitives), as a share of 32 doublings\n"
        "1: 1 where primitives are left out for want of rows\n"
        "2: 1 where the place is a schedule\n"
        "then for each primitive, the oldest first:\n"
        "0: 1, the mask of the row\n";
    int place = 1;
    for (const PrimitiveEntry& entry : AllPrimitives()) {
      text += std::to_string(place++) + ": 1 for " + entry.name + "\n";
    }
    return text + std::to_string(place) + ".." + std::to_string(place + fields_ - 1) +
           ": its fields in order: stages and positions from 1 as shares of 64, lengths as "
           "log2(1 + length) / 32, flags, names from 1 as shares of 16, texts as hashes; before "
           "the values of a list how many there are, as a share of 64\n";
  }

  void Write(const ObservationContext& context, std::span<float> numbers) const override {
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    const Result<ScheduleState>& state = context.episode.state();
    if (!state) return;
    const int count = state->trace_size();
    const int left_out = std::max(0, count - length_);
    numbers[0] = Log2Scaled(count);
    numbers[1] = left_out > 0 ? 1 : 0;
    numbers[2] = 1;
    for (int step = left_out; step < count; ++step) {
      const size_t at = kHead + static_cast<size_t>(step - left_out) * RowSize();
      WriteRow(state->step(step), numbers.subspan(at, RowSize()));
    }
  }

 private:
  size_t RowSize() const { return static_cast<size_t>(1 + kKinds + fields_); }

  static void WriteRow(const Primitive& primitive, std::span<float> row) {
    row[0] = 1;
    WriteToken(primitive, TokenScale::kShares, row.subspan(1));
  }

  std::string name_;
  int length_, fields_;
};

}  // namespace

std::unique_ptr<Observation> MakeTokensObservation(const Spec& spec) {
  SpecReader reader(spec, "observation");
  const int length = ReadCount(reader, "observation tokens", {"length", 48, kMostLength});
  const int fields = ReadCount(reader, "observation tokens", {"fields", 20, kMostFields});
  reader.Finish();
  return std::make_unique<TokensObservation>(spec.ToText(), length, fields);
}

}  // namespace schedulegym
