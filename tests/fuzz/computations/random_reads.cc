#include "tests/fuzz/computations/random_reads.h"

#include "env/base/text.h"

namespace schedulegym {

std::string AxisList(const std::vector<NamedExtent>& axes) {
  std::vector<std::string> items;
  for (const NamedExtent& axis : axes)
    items.push_back(axis.name + ":" + std::to_string(axis.extent));
  return Join(items, ", ");
}

int64_t RandomExtent(Rng& rng) {
  return rng.Chance(0.1) ? 1 : 2 + rng.Below(rng.Chance(0.3) ? 16 : 7);
}

std::string RandomReads::Read(const std::string& tensor, const std::vector<int64_t>& shape,
                              const std::string& padding) {
  std::vector<std::string> indices, conditions;
  for (int64_t extent : shape) indices.push_back(Index(extent, conditions));
  const std::string read = tensor + "[" + Join(indices, ", ") + "]";
  if (conditions.empty()) return read;
  return "select(" + Join(conditions, " && ") + ", " + read + ", " + padding + ")";
}

const NamedExtent& RandomReads::Axis() {
  return axes_[rng_.Below(static_cast<int64_t>(axes_.size()))];
}

std::string RandomReads::Condition() {
  const NamedExtent& axis = Axis();
  const std::string bound = std::to_string(rng_.Below(axis.extent + 1));
  constexpr const char* kComparisons[] = {" < ", " >= ", " == ", " % 2 == 0 && 0 <= "};
  return axis.name + kComparisons[rng_.Below(4)] + bound;
}

// An index of a dimension of this extent; an index that could leave it is guarded or wraps around.
std::string RandomReads::Index(int64_t extent, std::vector<std::string>& conditions) {
  if (axes_.empty() || rng_.Chance(0.05)) return std::to_string(rng_.Below(extent));
  const NamedExtent& a = Axis();
  const NamedExtent& b = Axis();
  const std::string whole = std::to_string(extent);
  if (rng_.Chance(0.5) && a.extent <= extent) {
    return rng_.Chance(0.15) ? std::to_string(a.extent - 1) + " - " + a.name : a.name;
  }
  const int64_t step = 1 + rng_.Below(3), shift = rng_.Below(4);
  const std::string scaled = step == 1 ? a.name : a.name + " * " + std::to_string(step);
  const std::string window = a.name == b.name ? scaled : scaled + " + " + b.name;
  switch (rng_.Below(4)) {
    case 0: return "(" + window + " + " + std::to_string(shift) + ") % " + whole;
    case 1: return "(" + a.name + " // " + std::to_string(step + 1) + ") % " + whole;
    default: {
      const std::string index = window + " - " + std::to_string(shift);
      conditions.push_back(index + " >= 0 && " + index + " < " + whole);
      return index;
    }
  }
}

}  // namespace schedulegym
