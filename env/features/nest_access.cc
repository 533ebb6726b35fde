// What a statement touches of a buffer, for each level of its loops: elements, the run that lies in
// one piece, the stride, and the elements that share a place of pages (page_layers): with s the
// stride of a dimension, its steps visit page / gcd(s, page) places before they come round. A
// packed layout stores a dimension as quotient and remainder of its tile; a form is divided term by
// term, and carries where its rest may reach the tile. Counts of operations: a linear form of n
// terms has n - 1 additions and a multiplication for each factor that is not 1.
// Cost: O(dimensions * places) a level.
#include "env/features/nest_access.h"

#include <algorithm>
#include <numeric>

#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

using Part = StoredDimension::Part;

// Whether the part of the form that the tile does not divide may reach beyond one tile. An atom's
// values are not known here: one that the tile does not divide is taken to.
bool Carries(std::span<const int64_t> row, int64_t constant, const AxisForms& forms, int64_t tile) {
  int64_t largest = FloorModulo(constant, tile);
  for (size_t column = 0; column < row.size(); ++column) {
    if (row[column] % tile == 0) continue;
    if (row[column] < 0 || column >= forms.loops.size()) return true;
    largest += row[column] * (forms.loops[column].extent - 1);
  }
  return largest >= tile;
}

// The coefficient of a level in a dimension as it lies in memory.
int64_t StoredCoefficient(const StoredDimension& dimension, int64_t coefficient, bool carries) {
  const bool divides = coefficient % dimension.tile == 0;
  switch (dimension.part) {
    case Part::kWhole: return coefficient;
    case Part::kQuotient:
      if (divides) return coefficient / dimension.tile;
      return carries ? coefficient : 0;
    case Part::kRemainder: return divides ? 0 : coefficient;
  }
  return 0;
}

int64_t StoredWidth(const StoredDimension& dimension, Range values) {
  if (dimension.part == Part::kQuotient) values = FloorDivide(values, dimension.tile);
  if (dimension.part == Part::kRemainder) values = FloorModulo(values, dimension.tile);
  return values.high - values.low + 1;
}

class AccessMaker {
 public:
  AccessMaker(std::span<const StoredDimension> dimensions, std::span<const IndexTuple> places,
              const AxisForms& forms)
      : dimensions_(dimensions), places_(places), forms_(forms) {}

  // Elements touched from a level on, how many of them are contiguous, and how many of those within
  // the tensor share one offset in pages of `page` elements.
  struct Extent {
    int64_t touched = 1;
    int64_t run = 1;
    int64_t page_layers = 1;
  };
  Extent ExtentAt(int level, int64_t page) const {
    Extent extent;
    bool is_whole = true;  // whether all dimensions further in are whole
    int64_t stride = 1, inside = 1, places = 1;
    for (size_t i = dimensions_.size(); i-- > 0;) {
      const int64_t width =
          StoredWidth(dimensions_[i], Values(dimensions_[i].tensor_dimension, level));
      extent.touched *= width;
      if (is_whole) extent.run *= width;
      is_whole = is_whole && width >= dimensions_[i].extent;
      const int64_t steps = std::min(width, dimensions_[i].extent);
      inside *= steps;
      // The offsets repeat after this number of steps.
      const int64_t period = page / std::gcd(stride, page);
      places = std::min(page, places * std::min(steps, period));
      stride *= dimensions_[i].extent;
    }
    extent.page_layers = CeilDivide(inside, places);
    return extent;
  }

  int64_t Stride(int level) const {
    int64_t least = 0;
    for (const IndexTuple& place : places_) {
      const int64_t stride = StrideOf(place, level);
      if (stride != 0 && (least == 0 || stride < least)) least = stride;
    }
    return least;
  }

  int64_t Contiguous() const {
    for (size_t i = dimensions_.size(); i-- > 0;) {
      const int64_t width = StoredWidth(dimensions_[i], Values(dimensions_[i].tensor_dimension, 0));
      if (width == dimensions_[i].extent) return width;
    }
    return 1;
  }

 private:
  Range Values(int dimension, int level) const {
    const auto spans = forms_.spans[level];
    Range hull = places_[0].Values(dimension, spans);
    for (const IndexTuple& place : places_.subspan(1)) {
      const Range values = place.Values(dimension, spans);
      hull = {std::min(hull.low, values.low), std::max(hull.high, values.high)};
    }
    return hull;
  }

  int64_t StrideOf(const IndexTuple& place, int level) const {
    int64_t inner = 1;
    for (size_t i = dimensions_.size(); i-- > 0;) {
      const StoredDimension& dimension = dimensions_[i];
      const auto row = place.rows[dimension.tensor_dimension];
      int64_t coefficient = forms_.Coefficient(row, level);
      if (coefficient != 0 && dimension.part != Part::kWhole) {
        const int64_t constant = place.Constant(dimension.tensor_dimension);
        coefficient = StoredCoefficient(dimension, coefficient,
                                        Carries(row, constant, forms_, dimension.tile));
      }
      if (coefficient != 0) return coefficient * inner;
      inner *= dimension.extent;
    }
    return 0;
  }

  std::span<const StoredDimension> dimensions_;
  std::span<const IndexTuple> places_;
  const AxisForms& forms_;
};

// The row of an index into a buffer that begins at `base`.
std::vector<int64_t> RowFromBase(std::span<const int64_t> row, const AxisForms& forms, int level) {
  std::vector<int64_t> result(row.begin(), row.end());
  std::fill_n(result.begin(), level, 0);
  for (int atom = 0; atom < forms.atom_count(); ++atom) {
    if (forms.IsOuter(atom, level)) result[forms.depth() + atom] = 0;
  }
  return result;
}

// Operations of a quotient or remainder: terms that the tile divides move out; the rest is divided
// if it carries.
OperationCounts CountDivided(const StoredDimension& dimension, std::vector<int64_t> row,
                             int64_t constant, const AxisForms& forms) {
  const bool carries = Carries(row, constant, forms, dimension.tile);
  std::vector<int64_t> rest = row;
  for (size_t column = 0; column < row.size(); ++column) {
    const bool divides = row[column] % dimension.tile == 0;
    row[column] = divides ? row[column] / dimension.tile : 0;
    if (divides) rest[column] = 0;
  }
  const bool is_quotient = dimension.part == Part::kQuotient;
  OperationCounts counts;
  if (carries || !is_quotient) counts += CountLinear(rest, FloorModulo(constant, dimension.tile));
  if (carries) ++counts[OperationKind::kIntegerDivide];
  if (!is_quotient) return counts;
  counts += CountLinear(row, FloorDivide(constant, dimension.tile));
  const bool has_quotient = std::any_of(row.begin(), row.end(), [](int64_t c) { return c != 0; });
  if (carries && has_quotient) ++counts[OperationKind::kIntegerAdd];
  return counts;
}

using Kind = OperationKind;

// The kind of an operator on floating arguments.
Kind FloatKind(Op op) {
  switch (op) {
    case Op::kNegate:
    case Op::kAdd:
    case Op::kSubtract: return Kind::kFloatAdd;
    case Op::kMultiply: return Kind::kFloatMultiply;
    case Op::kDivide:
    case Op::kFloorDivide:
    case Op::kModulo: return Kind::kFloatDivide;
    case Op::kMin:
    case Op::kMax: return Kind::kFloatCompare;
    default: return IsComparison(op) ? Kind::kFloatCompare : Kind::kFloatFunction;
  }
}

Kind IntegerKind(Kind kind) {
  constexpr auto kDistance =
      static_cast<int>(Kind::kIntegerMultiplyAdd) - static_cast<int>(Kind::kFloatMultiplyAdd);
  return static_cast<Kind>(static_cast<int>(kind) + kDistance);
}

void AddValue(const ExprNode& node, const AxisForms& forms, OperationCounts& counts) {
  switch (node.op) {
    case Op::kInteger:
    case Op::kNumber:
    case Op::kRead: return;
    case Op::kVariable: counts += CountLinear(forms.axes[node.id], 0); return;
    case Op::kCast: break;
    case Op::kSelect: ++counts[Kind::kSelect]; break;
    case Op::kNot:
    case Op::kAnd:
    case Op::kOr: ++counts[Kind::kBoolean]; break;
    default: {
      const Kind kind = FloatKind(node.op);
      ++counts[IsFloating(node.args[0]->type) ? kind : IntegerKind(kind)];
    }
  }
  for (const Expr& arg : node.args) AddValue(*arg, forms, counts);
}

}  // namespace

std::vector<StoredDimension> StoredDimensions(const StageOp& op) {
  std::vector<StoredDimension> split;
  split.reserve(op.spatial);
  for (int d = 0; d < op.spatial; ++d) {
    const int64_t extent = op.axes[d].extent;
    const int64_t tile = op.layout.empty() ? 1 : op.layout.tile[d];
    if (tile == 1) {
      split.push_back({d, Part::kWhole, 1, extent});
      continue;
    }
    split.push_back({d, Part::kQuotient, tile, CeilDivide(extent, tile)});
    split.push_back({d, Part::kRemainder, tile, tile});
  }
  if (op.layout.empty()) return split;
  std::vector<StoredDimension> dimensions;
  for (int position : op.layout.order) dimensions.push_back(split[position]);
  return dimensions;
}

int64_t StoredElements(const StageOp& op, std::span<const int64_t> region) {
  int64_t elements = 1;
  for (size_t d = 0; d < region.size(); ++d) {
    const int64_t tile = op.layout.empty() ? 1 : op.layout.tile[d];
    elements *= CeilDivide(region[d], tile) * tile;
  }
  return elements;
}

int64_t IndexTuple::Constant(size_t dimension) const {
  const Affine* affine = indices.empty() ? nullptr : indices[dimension].affine();
  return affine ? affine->constant : 0;
}

Range IndexTuple::Values(size_t dimension, std::span<const int64_t> spans) const {
  if (indices.empty()) return {0, spans[dimension] - 1};
  return indices[dimension].Values(spans);
}

IndexTuple MakeIndexTuple(const ReadAccess& read, const AxisForms& forms) {
  IndexTuple place;
  place.indices.reserve(read.indices.size());
  place.rows = Matrix(read.indices.size(), forms.axes.columns());
  for (size_t d = 0; d < read.indices.size(); ++d) {
    place.indices.emplace_back(read.indices[d], read.affine[d]);
    const auto row = place.rows[d];
    for (const auto& [axis, factor] : place.indices[d].terms()) {
      const auto form = forms.axes[axis];
      for (size_t column = 0; column < row.size(); ++column) row[column] += factor * form[column];
    }
  }
  return place;
}

IndexTuple MakeOwnCell(const StageOp& op, const AxisForms& forms) {
  IndexTuple place;
  place.rows = Matrix(op.spatial, forms.axes.columns());
  for (int d = 0; d < op.spatial; ++d) {
    std::copy(forms.axes[d].begin(), forms.axes[d].end(), place.rows[d].begin());
  }
  return place;
}

NestAccess MakeBufferAccess(const StageOp& op, std::span<const StoredDimension> dimensions,
                            std::span<const IndexTuple> places, const AxisForms& forms) {
  NestAccess access;
  access.element_bytes = SizeInBytes(op.type);
  access.rank = static_cast<int>(dimensions.size());
  access.touched.resize(forms.loops.size());
  access.strides.resize(forms.loops.size());
  access.runs.resize(forms.loops.size());
  access.page_layers.resize(forms.loops.size());
  const AccessMaker maker(dimensions, places, forms);
  for (int level = 0; level < forms.depth(); ++level) {
    const AccessMaker::Extent extent = maker.ExtentAt(level, kPageBytes / access.element_bytes);
    access.touched[level] = extent.touched;
    access.strides[level] = maker.Stride(level);
    access.runs[level] = extent.run;
    access.page_layers[level] = extent.page_layers;
  }
  access.contiguous = maker.Contiguous();
  return access;
}

OperationCounts CountIndices(std::span<const StoredDimension> dimensions, const IndexTuple& place,
                             const AxisForms& forms, const BufferBase& base) {
  OperationCounts counts;
  for (const StoredDimension& dimension : dimensions) {
    const size_t d = dimension.tensor_dimension;
    if (!place.indices.empty() && !place.indices[d].affine()) {
      counts += CountValue(place.indices[d].expr(), forms);
      if (dimension.part != Part::kWhole) ++counts[OperationKind::kIntegerDivide];
      continue;
    }
    const bool shifted = !base.shifted.empty() && base.shifted[d];
    if (!shifted && dimension.part == Part::kWhole) {
      counts += CountLinear(place.rows[d], place.Constant(d));
      continue;
    }
    std::vector<int64_t> row = RowFromBase(place.rows[d], forms, shifted ? base.level : 0);
    const int64_t constant = place.Constant(d) - (shifted ? base.constants[d] : 0);
    counts += dimension.part == Part::kWhole
                  ? CountLinear(row, constant)
                  : CountDivided(dimension, std::move(row), constant, forms);
  }
  return counts;
}

OperationCounts& OperationCounts::operator+=(const OperationCounts& other) {
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  return *this;
}

double OperationCounts::Flops() const {
  return std::accumulate(counts.begin(), counts.begin() + static_cast<int>(Kind::kFloatCall) + 1,
                         0.0);
}

OperationCounts CountLinear(std::span<const int64_t> row, int64_t constant) {
  OperationCounts counts;
  int terms = 0;
  for (int64_t coefficient : row) {
    if (coefficient == 0) continue;
    ++terms;
    // After the first term, a factor of -1 is a subtraction.
    const bool is_plain = coefficient == 1 || (coefficient == -1 && terms > 1);
    if (!is_plain) ++counts[Kind::kIntegerMultiply];
  }
  if (terms > 0) counts[Kind::kIntegerAdd] = terms - 1 + (constant != 0 ? 1 : 0);
  return counts;
}

OperationCounts CountValue(const Expr& value, const AxisForms& forms) {
  OperationCounts counts;
  AddValue(*value, forms, counts);
  return counts;
}

OperationCounts CountCombination(Combiner combiner, DType type) {
  OperationCounts counts;
  if (combiner == Combiner::kNone) return counts;
  const Op op = combiner == Combiner::kSum       ? Op::kAdd
                : combiner == Combiner::kProduct ? Op::kMultiply
                                                 : Op::kMax;
  const Kind kind = FloatKind(op);
  ++counts[IsFloating(type) ? kind : IntegerKind(kind)];
  return counts;
}

}  // namespace schedulegym
