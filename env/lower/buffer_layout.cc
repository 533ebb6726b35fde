#include "env/lower/buffer_layout.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace schedulegym {
namespace {

constexpr int64_t kAlignment = 64;  // bytes

// Each dimension's stride steps over all that smaller ones reach.
bool HasDistinctCells(const Buffer& buffer) {
  std::vector<size_t> order(buffer.shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return buffer.strides[a] < buffer.strides[b]; });
  int64_t reach = 1;
  for (const size_t d : order) {
    if (buffer.shape[d] < 1) return false;
    if (buffer.shape[d] == 1) continue;
    if (buffer.strides[d] < reach) return false;
    reach += (buffer.shape[d] - 1) * buffer.strides[d];
  }
  return true;
}

bool LiesWithin(const Buffer& buffer, const Parameter& parameter) {
  return buffer.byte_offset % kAlignment == 0 &&
         buffer.byte_offset + buffer.SizeInBytes() <= parameter.bytes;
}

}  // namespace

Result<void> CheckBufferLayout(const LoopProgram& program) {
  const auto invalid = [](const std::string& message) {
    return Error{ErrorKind::kInvalidSchedule, message};
  };
  for (const Buffer& buffer : program.buffers) {
    if (buffer.shape.size() != buffer.strides.size()) {
      return invalid("buffer " + buffer.name + " has not one stride for each dimension");
    }
    if (!HasDistinctCells(buffer)) {
      return invalid("elements of buffer " + buffer.name + " share cells");
    }
    if (buffer.parameter < 0) continue;
    const Parameter& parameter = program.parameters[buffer.parameter];
    if (!LiesWithin(buffer, parameter)) {
      return invalid("buffer " + buffer.name + " does not lie within parameter " + parameter.name);
    }
  }
  return {};
}

}  // namespace schedulegym
