// Memory of the interpreter with a check of every access: bounds, reads of cells never written, and
// data races. For each cell and each enclosing parallel loop it keeps the iterations that last
// wrote and last read it in this execution of the loop (one, or several): a write is a race with a
// read or write of another iteration. Values are held as double or int64 and rounded to the cell's
// type on a store; f16 and bf16 by their bits. Integers wrap around, x / 0 = 0.
// Cost: O(depth of parallel loops) an access.
#include "backends/interpreter/checked_buffer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/program/expressions/half.h"
#include "env/program/expressions/integer_math.h"
#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

Error RunError(std::string message) { return {ErrorKind::kRun, std::move(message)}; }

bool IsDense(const Buffer& buffer) {
  int64_t stride = 1;
  for (size_t d = buffer.shape.size(); d-- > 0;) {
    if (buffer.strides[d] != stride) return false;
    stride *= buffer.shape[d];
  }
  return true;
}

int64_t IntegerUnary(Op op, int64_t x) {
  switch (op) {
    case Op::kNegate: return static_cast<int64_t>(-static_cast<uint64_t>(x));
    case Op::kAbs: return x < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(x)) : x;
    case Op::kNot: return x == 0 ? 1 : 0;
    case Op::kFloor: return x;
    default: break;
  }
  SG_CHECK(false, std::string("no integer operator ") + OpName(op));
}

double FloatBinary(Op op, DType type, double a, double b) {
  const auto floored = [&] { return std::floor(RoundToType(type, a / b)); };
  switch (op) {
    case Op::kAdd: return a + b;
    case Op::kSubtract: return a - b;
    case Op::kMultiply: return a * b;
    case Op::kDivide: return a / b;
    case Op::kFloorDivide: return floored();
    case Op::kModulo: return a - RoundToType(type, b * floored());
    case Op::kMin:
    case Op::kMax: return FloatExtreme(op, a, b);
    case Op::kPow: return std::pow(a, b);
    default: break;
  }
  SG_CHECK(false, std::string("no floating operator ") + OpName(op));
}

int64_t DivideIntegers(Op op, int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return op == Op::kModulo ? 0 : IntegerUnary(Op::kNegate, a);
  if (op == Op::kDivide) return a / b;
  return op == Op::kModulo ? FloorModulo(a, b) : FloorDivide(a, b);
}

int64_t IntegerBinary(Op op, int64_t a, int64_t b) {
  const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (op) {
    case Op::kAdd: return static_cast<int64_t>(x + y);
    case Op::kSubtract: return static_cast<int64_t>(x - y);
    case Op::kMultiply: return static_cast<int64_t>(x * y);
    case Op::kMin: return a < b ? a : b;
    case Op::kMax: return a > b ? a : b;
    case Op::kAnd: return a & b;
    case Op::kOr: return a | b;
    default: return DivideIntegers(op, a, b);
  }
}

template <typename T>
T Get(const void* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

template <typename T>
void Put(T value, void* place) {
  std::memcpy(place, &value, sizeof value);
}

}  // namespace

CheckedBuffer::CheckedBuffer(const Buffer& buffer, std::byte* memory, bool read_only)
    : buffer_(buffer),
      memory_(memory),
      read_only_(read_only),
      dense_(memory == nullptr || IsDense(buffer)) {
  for (const int64_t extent : buffer.shape) cells_ *= extent;
  if (memory == nullptr) {
    own_.resize(cells_ * SizeInBytes(buffer.type));
    memory_ = own_.data();
  }
  if (!read_only) written_.resize(cells_);
}

void CheckedBuffer::Reset(size_t depth) {
  std::fill(written_.begin(), written_.end(), false);
  depth_ = depth;
  accesses_.clear();
}

std::vector<int64_t> CheckedBuffer::IndexOf(int64_t cell) const {
  std::vector<int64_t> index(buffer_.shape.size());
  for (size_t d = index.size(); d-- > 0;) {
    index[d] = cell % buffer_.shape[d];
    cell /= buffer_.shape[d];
  }
  return index;
}

std::string CheckedBuffer::NameOf(int64_t cell) const {
  return buffer_.name + "[" + Join(IndexOf(cell), ", ") + "]";
}

std::byte* CheckedBuffer::Place(int64_t cell) {
  int64_t element = cell;
  if (!dense_) {
    element = 0;
    for (size_t d = buffer_.shape.size(); d-- > 0;) {
      element += cell % buffer_.shape[d] * buffer_.strides[d];
      cell /= buffer_.shape[d];
    }
  }
  return memory_ + element * SizeInBytes(buffer_.type);
}

Result<int64_t> CheckedBuffer::CellOf(const int64_t* index) const {
  int64_t cell = 0;
  bool inside = true;
  for (size_t d = 0; d < buffer_.shape.size(); ++d) {
    inside &= index[d] >= 0 && index[d] < buffer_.shape[d];
    cell = cell * buffer_.shape[d] + index[d];
  }
  if (inside) return cell;
  const std::vector<int64_t> where(index, index + buffer_.shape.size());
  return RunError("access out of bounds: " + buffer_.name + "[" + Join(where, ", ") +
                  "], expected indices within [" + Join(buffer_.shape, ", ") + "]");
}

Result<Scalar> CheckedBuffer::Load(const int64_t* index, const std::vector<ParallelStep>& steps) {
  const auto cell = CellOf(index);
  if (!cell) return cell.error();
  if (!written_.empty() && !written_[*cell]) {
    return RunError("read of " + NameOf(*cell) + ", which nothing wrote");
  }
  if (steps.size() > depth_ && !read_only_) {
    if (auto checked = CheckRace(*cell, steps, false); !checked) return checked.error();
  }
  return LoadScalar(buffer_.type, Place(*cell));
}

Result<void> CheckedBuffer::Store(int64_t cell, Scalar value,
                                  const std::vector<ParallelStep>& steps) {
  if (read_only_) return RunError("store to " + NameOf(cell) + ", which is an input");
  if (steps.size() > depth_) {
    if (auto checked = CheckRace(cell, steps, true); !checked) return checked;
  }
  written_[cell] = true;
  StoreScalar(buffer_.type, value, Place(cell));
  return {};
}

CheckedBuffer::Access& CheckedBuffer::AccessOf(int64_t cell, size_t depth, int64_t execution) {
  const size_t level = depth - depth_;
  if (accesses_.size() <= level) accesses_.resize(level + 1);
  if (accesses_[level].empty()) accesses_[level].resize(cells_);
  Access& access = accesses_[level][cell];
  if (access.execution != execution) access = {execution, kNobody, kNobody};
  return access;
}

Result<void> CheckedBuffer::CheckRace(int64_t cell, const std::vector<ParallelStep>& steps,
                                      bool writes) {
  for (size_t depth = depth_; depth < steps.size(); ++depth) {
    const auto [execution, iteration] = steps[depth];
    Access& access = AccessOf(cell, depth, execution);
    const bool other_writes = access.writer != kNobody && access.writer != iteration;
    const bool other_reads = access.reader != kNobody && access.reader != iteration;
    if (other_writes || (writes && other_reads)) {
      const int64_t other = other_writes ? access.writer : access.reader;
      return RunError(
          "race on " + NameOf(cell) + ": iteration " + std::to_string(iteration) +
          (writes ? " of a parallel loop writes what " : " of a parallel loop reads what ") +
          (other == kSeveral ? "others" : "iteration " + std::to_string(other)) +
          (other_writes ? " wrote" : " read"));
    }
    if (writes) {
      access.writer = iteration;
    } else {
      access.reader = access.reader == kNobody || access.reader == iteration ? iteration : kSeveral;
    }
  }
  return {};
}

Result<void> CheckedBuffer::CheckWritten() const {
  const auto missing = std::find(written_.begin(), written_.end(), false);
  if (missing == written_.end()) return {};
  return RunError("output " + NameOf(missing - written_.begin()) + " is never written");
}

Scalar UnaryScalar(Op op, DType type, Scalar value) {
  if (IsFloating(type)) return NumberScalar(RoundToType(type, FloatUnary(op, value.number)));
  return IntegerScalar(WrapToType(type, IntegerUnary(op, value.integer)));
}

Scalar BinaryScalar(Op op, DType type, Scalar a, Scalar b) {
  if (IsComparison(op)) {
    return IntegerScalar(IsFloating(type) ? Compares(op, a.number, b.number)
                                          : Compares(op, a.integer, b.integer));
  }
  if (IsFloating(type)) {
    return NumberScalar(RoundToType(type, FloatBinary(op, type, a.number, b.number)));
  }
  return IntegerScalar(WrapToType(type, IntegerBinary(op, a.integer, b.integer)));
}

Scalar CastScalar(DType from, DType to, Scalar value) {
  if (IsFloating(from)) {
    return IsFloating(to) ? NumberScalar(RoundToType(to, value.number))
                          : IntegerScalar(SaturateToType(to, value.number));
  }
  if (to == DType::kBool) return IntegerScalar(value.integer != 0);
  if (!IsFloating(to)) return IntegerScalar(WrapToType(to, value.integer));
  if (to == DType::kF32) return NumberScalar(static_cast<float>(value.integer));
  return NumberScalar(RoundToType(to, static_cast<double>(value.integer)));
}

Scalar LoadScalar(DType type, const void* place) {
  switch (type) {
    case DType::kF32: return NumberScalar(Get<float>(place));
    case DType::kF64: return NumberScalar(Get<double>(place));
    case DType::kI32: return IntegerScalar(Get<int32_t>(place));
    case DType::kI8: return IntegerScalar(Get<int8_t>(place));
    case DType::kF16:
    case DType::kBF16: return NumberScalar(HalfToFloat(type, Get<uint16_t>(place)));
    default: break;
  }
  SG_CHECK(false, "no element of memory has this type");
}

void StoreScalar(DType type, Scalar value, void* place) {
  switch (type) {
    case DType::kF32: return Put(static_cast<float>(value.number), place);
    case DType::kF64: return Put(value.number, place);
    case DType::kI32: return Put(static_cast<int32_t>(value.integer), place);
    case DType::kI8: return Put(static_cast<int8_t>(value.integer), place);
    case DType::kF16:
    case DType::kBF16: return Put(DoubleToHalf(type, value.number), place);
    default: break;
  }
  SG_CHECK(false, "no element of memory has this type");
}

}  // namespace schedulegym
