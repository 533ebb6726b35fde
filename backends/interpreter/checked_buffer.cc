#include "backends/interpreter/checked_buffer.h"

#include <algorithm>

#include "env/base/text.h"

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

}  // namespace schedulegym
