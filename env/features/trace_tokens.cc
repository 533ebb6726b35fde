#include "env/features/trace_tokens.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "env/base/hash.h"
#include "env/features/scaled_numbers.h"
#include "env/schedule/field.h"

namespace schedulegym {
namespace {

constexpr int kMostPositions = 64;
constexpr int kMostNamed = 16;
constexpr uint64_t kPlainTexts = 64;

// Writes fields in order, one overload for each field type, until the token is full.
class FieldWriter {
 public:
  FieldWriter(TokenScale scale, std::span<float> room) : scale_(scale), room_(room) {}

  void Add(int position) { Put(position, Share(std::max(0, position) + 1.0, kMostPositions)); }
  void Add(StageRef stage) { Add(stage.id); }
  void Add(int64_t length) {
    const auto plain = static_cast<double>(length);
    Put(plain, Log2Scaled(std::max(0.0, plain)));
  }
  void Add(bool flag) { Put(flag ? 1 : 0, flag ? 1 : 0); }
  // Nearly always another number for another text.
  void Add(const std::string& text) {
    Hasher hasher;
    hasher.Add(std::string_view(text));
    Put(static_cast<double>(hasher.Value() % kPlainTexts),
        Share(static_cast<double>(hasher.Value() >> 40), 1 << 24));
  }
  template <typename T>
  requires std::is_enum_v<T>
  void Add(T named) {
    Put(static_cast<int>(named), Share(static_cast<int>(named) + 1, kMostNamed));
  }
  template <typename T>
  void Add(const std::vector<T>& values) {
    if (scale_ == TokenScale::kShares) {
      Put(0, Share(static_cast<double>(values.size()), kMostPositions));
    }
    for (const T& value : values) Add(value);
  }

 private:
  void Put(double plain, float share) {
    if (room_.empty()) return;
    const auto number = static_cast<float>(plain);
    room_.front() = scale_ == TokenScale::kShares  ? share
                    : scale_ == TokenScale::kPlain ? number
                                                   : std::log2(1 + std::max(0.0F, number));
    room_ = room_.subspan(1);
  }

  TokenScale scale_;
  std::span<float> room_;
};

}  // namespace

void WriteToken(const Primitive& primitive, TokenScale scale, std::span<float> row) {
  std::ranges::fill(row, 0.0F);
  row[primitive.index()] = 1;
  FieldWriter writer(scale, row.subspan(kTokenKinds));
  std::visit(
      [&](const auto& p) {
        ForEachField<std::decay_t<decltype(p)>>(
            [&](const auto& field) { writer.Add(p.*field.member); });
      },
      primitive);
}

}  // namespace schedulegym
