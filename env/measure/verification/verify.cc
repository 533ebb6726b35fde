// Compares outputs: bit by bit with -0 = 0 and any NaN = any NaN, or within bounds,
//   |found - expected| <= bound + u |expected| + least normal
// Cells that hold the poison written before (all bytes 0xFF, a NaN; 0xA7 in integers) count as not
// written. The bounded comparison first tries a loop without branches. HashMemory is four
// multiply-xor lanes of 8 bytes, not cryptographic.
// Cost: O(elements).
#include "env/measure/verification/verify.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/measure/verification/error_dag.h"
#include "env/program/expressions/half.h"

namespace schedulegym {
namespace {

// A quiet NaN in every floating type that is stored, an unlikely value in integers.
constexpr unsigned char kPoison = 0xFF;
constexpr unsigned char kIntegerPoison = 0xA7;

// A cell of f16 or bf16.
template <DType kType>
struct Half {
  uint16_t bits = 0;
  operator double() const { return static_cast<double>(HalfToFloat(kType, bits)); }
};

unsigned char PoisonOf(DType type) { return IsFloating(type) ? kPoison : kIntegerPoison; }

template <typename T>
bool IsPoison(T value, DType type) {
  const auto bytes = std::bit_cast<std::array<unsigned char, sizeof(T)>>(value);
  return std::all_of(bytes.begin(), bytes.end(),
                     [type](unsigned char byte) { return byte == PoisonOf(type); });
}

template <typename T>
std::string TextOf(T value) {
  if constexpr (std::is_integral_v<T>) return std::to_string(static_cast<int64_t>(value));
  return FormatDouble(static_cast<double>(value));
}

template <typename T>
std::string Describe(const Tensor& tensor, int64_t flat, T found, const std::string& expected) {
  const std::string cell = tensor.name + IndexText(tensor, flat);
  if (IsPoison(found, tensor.type)) return cell + " was not written, expected " + expected;
  return cell + " is " + TextOf(found) + ", expected " + expected;
}

template <typename T>
std::optional<std::string> FirstUnequal(const Tensor& tensor, const T* found, const T* expected) {
  const int64_t elements = tensor.NumElements();
  if (std::memcmp(found, expected, static_cast<size_t>(elements) * sizeof(T)) == 0) return {};
  for (int64_t i = 0; i < elements; ++i) {
    const bool both_nan = found[i] != found[i] && expected[i] != expected[i];
    if (found[i] == expected[i] || (both_nan && !IsPoison(found[i], tensor.type))) continue;
    return Describe(tensor, i, found[i], TextOf(expected[i]));
  }
  return {};
}

// Whether all are surely within their bounds: no branch in the loop, so that it runs at the speed
// of the memory. Anything that is not finite makes it false.
template <typename T>
bool AllNear(const Tensor& tensor, const T* found, std::span<const double> expected,
             std::span<const double> bounds) {
  const double relative = IsFloating(tensor.type) ? UnitRoundoff(tensor.type) : 0;
  bool near = true;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double error = std::abs(static_cast<double>(found[i]) - expected[i]);
    const double bound = bounds.empty() ? 0 : bounds[i];
    near &= error <= bound + relative * std::abs(expected[i]) &&
            bound <= std::numeric_limits<double>::max();
  }
  return near;
}

template <typename T>
std::optional<std::string> FirstBeyond(const Tensor& tensor, const T* found,
                                       std::span<const double> expected,
                                       std::span<const double> bounds) {
  if (AllNear(tensor, found, expected, bounds)) return {};
  for (size_t i = 0; i < expected.size(); ++i) {
    const double value = expected[i];
    const double bound = (bounds.empty() ? 0 : bounds[i]) + FinalRounding(tensor.type, value);
    const auto number = static_cast<double>(found[i]);
    const bool near = std::isfinite(value) && std::abs(number - value) <= bound;
    const bool same = number == value || (std::isnan(value) && std::isnan(number));
    const bool unbounded = std::isfinite(value) && !std::isfinite(bound);
    if (near || ((same || unbounded) && !IsPoison(found[i], tensor.type))) continue;
    return Describe(tensor, static_cast<int64_t>(i), found[i],
                    FormatDouble(value) + " within " + FormatDouble(bound));
  }
  return {};
}

}  // namespace

void Poison(const Tensor& tensor, void* memory) {
  std::memset(memory, PoisonOf(tensor.type),
              static_cast<size_t>(tensor.NumElements() * SizeInBytes(tensor.type)));
}

std::optional<std::string> FindPoison(const Tensor& tensor, const void* memory) {
  const auto* bytes = static_cast<const unsigned char*>(memory);
  const int64_t size = SizeInBytes(tensor.type);
  const unsigned char poison = PoisonOf(tensor.type);
  int64_t poisoned = 0;
  for (int64_t i = 0; i < tensor.NumElements(); ++i) {
    const unsigned char* cell = bytes + i * size;
    const bool is_poisoned =
        std::all_of(cell, cell + size, [poison](unsigned char byte) { return byte == poison; });
    if (is_poisoned && IsFloating(tensor.type)) {
      return tensor.name + IndexText(tensor, i) + " was not written";
    }
    poisoned += is_poisoned ? 1 : 0;
  }
  if (poisoned < tensor.NumElements()) return std::nullopt;
  return tensor.name + " was not written";
}

std::optional<std::string> CompareExact(const Tensor& tensor, const void* found,
                                        const void* expected) {
  switch (tensor.type) {
    case DType::kF32:
      return FirstUnequal(tensor, static_cast<const float*>(found),
                          static_cast<const float*>(expected));
    case DType::kF64:
      return FirstUnequal(tensor, static_cast<const double*>(found),
                          static_cast<const double*>(expected));
    case DType::kI32:
      return FirstUnequal(tensor, static_cast<const int32_t*>(found),
                          static_cast<const int32_t*>(expected));
    case DType::kI8:
      return FirstUnequal(tensor, static_cast<const int8_t*>(found),
                          static_cast<const int8_t*>(expected));
    case DType::kF16:
      return FirstUnequal(tensor, static_cast<const Half<DType::kF16>*>(found),
                          static_cast<const Half<DType::kF16>*>(expected));
    case DType::kBF16:
      return FirstUnequal(tensor, static_cast<const Half<DType::kBF16>*>(found),
                          static_cast<const Half<DType::kBF16>*>(expected));
    default: break;
  }
  SG_CHECK(false, "no output holds this type");
}

std::optional<std::string> CompareBounded(const Tensor& tensor, const void* found,
                                          std::span<const double> expected,
                                          std::span<const double> bounds) {
  SG_CHECK(static_cast<int64_t>(expected.size()) == tensor.NumElements(), "a value a cell");
  SG_CHECK(bounds.empty() || bounds.size() == expected.size(), "a bound a cell, or none");
  switch (tensor.type) {
    case DType::kF32:
      return FirstBeyond(tensor, static_cast<const float*>(found), expected, bounds);
    case DType::kF64:
      return FirstBeyond(tensor, static_cast<const double*>(found), expected, bounds);
    case DType::kI32:
      return FirstBeyond(tensor, static_cast<const int32_t*>(found), expected, bounds);
    case DType::kI8:
      return FirstBeyond(tensor, static_cast<const int8_t*>(found), expected, bounds);
    case DType::kF16:
      return FirstBeyond(tensor, static_cast<const Half<DType::kF16>*>(found), expected, bounds);
    case DType::kBF16:
      return FirstBeyond(tensor, static_cast<const Half<DType::kBF16>*>(found), expected, bounds);
    default: break;
  }
  SG_CHECK(false, "no output holds this type");
}

std::string IndexText(const Tensor& tensor, int64_t flat) {
  std::vector<int64_t> index(tensor.shape.size());
  for (size_t i = index.size(); i-- > 0;) {
    index[i] = flat % tensor.shape[i];
    flat /= tensor.shape[i];
  }
  return "[" + Join(index, ", ") + "]";
}

uint64_t HashMemory(const void* memory, int64_t bytes) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  uint64_t lanes[4] = {1, 2, 3, 4};
  const char* at = static_cast<const char*>(memory);
  const char* end = at + bytes;
  for (; end - at >= 32; at += 32) {
    uint64_t words[4];
    std::memcpy(words, at, sizeof words);
    for (int i = 0; i < 4; ++i) lanes[i] = (lanes[i] ^ words[i]) * kFactor;
  }
  for (; at != end; ++at) lanes[0] = (lanes[0] ^ static_cast<unsigned char>(*at)) * kFactor;
  uint64_t hash = static_cast<uint64_t>(bytes);
  for (uint64_t lane : lanes) hash = (hash ^ (lane >> 29) ^ lane) * kFactor;
  return hash;
}

}  // namespace schedulegym
