#include "env/measure/verification/inputs.h"

#include <limits>
#include <string>
#include <vector>

#include "env/base/check.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

int64_t SmallInteger(const ExactPlan& plan, Rng& rng) {
  return plan.positive ? 1 + rng.Below(plan.range) : rng.Below(2 * plan.range + 1) - plan.range;
}

int64_t AnyInteger(DType type, Rng& rng) {
  if (type == DType::kI8) return rng.Below(256) + std::numeric_limits<int8_t>::min();
  return rng.Below(int64_t{1} << 32) + std::numeric_limits<int32_t>::min();
}

[[noreturn]] void RefuseType(const std::string& what, DType type) {
  throw InputError(what + " of type " + DTypeName(type) +
                   " cannot be measured; expected one of f32, f64, i32, i8");
}

template <typename T>
void FillWith(void* memory, int64_t elements, auto draw) {
  T* values = static_cast<T*>(memory);
  for (int64_t i = 0; i < elements; ++i) values[i] = static_cast<T>(draw());
}

void FillTyped(const Tensor& tensor, void* memory, auto draw) {
  const int64_t elements = tensor.NumElements();
  switch (tensor.type) {
    case DType::kF32: return FillWith<float>(memory, elements, draw);
    case DType::kF64: return FillWith<double>(memory, elements, draw);
    case DType::kI32: return FillWith<int32_t>(memory, elements, draw);
    case DType::kI8: return FillWith<int8_t>(memory, elements, draw);
    default: RefuseType("inputs", tensor.type);
  }
}

}  // namespace

uint64_t InputSeed(const Key& task) {
  Hasher hasher;
  hasher.Add(kInputsName);
  hasher.Add(task.ToText());
  return hasher.Value();
}

void CheckCanFill(const ComputeDag& dag) {
  const auto check = [&](const std::string& what, const std::vector<int>& ids) {
    for (int id : ids) {
      const DType type = dag.tensor(id).type;
      if (type == DType::kF16 || type == DType::kBF16) RefuseType(what, type);
    }
  };
  check("inputs", dag.inputs());
  check("outputs", dag.outputs());
}

void FillInput(const Tensor& tensor, InputPattern pattern, const ExactPlan& plan, Rng& rng,
               void* memory) {
  switch (pattern) {
    case InputPattern::kIntegers:
      SG_CHECK(plan.range > 0, "an exact plan has a range");
      return FillTyped(tensor, memory, [&] { return SmallInteger(plan, rng); });
    case InputPattern::kSparseIntegers:
      SG_CHECK(plan.range > 0, "an exact plan has a range");
      return FillTyped(tensor, memory, [&] {
        return plan.positive || rng.Below(4) == 0 ? SmallInteger(plan, rng) : 0;
      });
    case InputPattern::kReals:
      if (!IsFloating(tensor.type)) {
        return FillTyped(tensor, memory, [&] { return AnyInteger(tensor.type, rng); });
      }
      // 24 bits: exact in f32, so that every precision sees the same numbers.
      return FillTyped(tensor, memory,
                       [&] { return static_cast<double>(rng.Next() >> 40) * 0x1p-23 - 1.0; });
    case InputPattern::kPositiveReals:
      if (!IsFloating(tensor.type)) {
        return FillTyped(tensor, memory, [&] { return 1 + rng.Below(100); });
      }
      return FillTyped(tensor, memory,
                       [&] { return static_cast<double>(rng.Next() >> 41) * 0x1p-23 + 0.25; });
  }
}

}  // namespace schedulegym
