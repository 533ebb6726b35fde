// A place is a sum; the lane must be one of its terms, by itself, and every other term a multiple
// of the number of lanes: a constant that is, a product with such a factor, or a remainder of such
// terms. Guarded copies stay narrow.
#include "backends/device_text/wide_copy.h"

#include <algorithm>
#include <vector>

#include "env/program/expressions/half.h"

namespace schedulegym {
namespace {

bool IsMultiple(const Expr& expr, int64_t lanes) {
  const ExprNode& node = *expr;
  const auto is_multiple = [&](const Expr& part) { return IsMultiple(part, lanes); };
  switch (node.op) {
    case Op::kInteger: return node.integer % lanes == 0;
    case Op::kMultiply: return std::ranges::any_of(node.args, is_multiple);
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kModulo: return std::ranges::all_of(node.args, is_multiple);
    default: return false;
  }
}

void AddTerms(const Expr& expr, std::vector<Expr>& terms) {
  if (expr->op != Op::kAdd) return terms.push_back(expr);
  for (const Expr& part : expr->args) AddTerms(part, terms);
}

// The place without its lane, if that is all it needs.
std::optional<Expr> FirstPlace(const Expr& place, int lane, int64_t lanes) {
  std::vector<Expr> terms;
  AddTerms(place, terms);
  Expr first = IndexConstant(0);
  int found = 0;
  for (const Expr& term : terms) {
    if (term->op == Op::kVariable && term->id == lane) {
      ++found;
    } else if (IsMultiple(term, lanes)) {
      bool has_lane = false;
      Visit(term, [&](const ExprNode& node) {
        has_lane = has_lane || (node.op == Op::kVariable && node.id == lane);
      });
      if (has_lane) return std::nullopt;
      first = first + term;
    } else {
      return std::nullopt;
    }
  }
  return found == 1 ? std::optional(first) : std::nullopt;
}

// As WideCopy has it; none where no language has such a type of 8 or 16 bytes. Halves go as
// integers, two at once, too.
std::optional<std::string> WideType(DType type, int64_t lanes) {
  const int64_t bytes = lanes * SizeInBytes(type);
  if (IsHalf(type) && bytes == 4) return "";
  if (bytes != 8 && bytes != 16) return std::nullopt;
  switch (type) {
    case DType::kF32: return "float" + std::to_string(lanes);
    case DType::kI32: return "int" + std::to_string(lanes);
    case DType::kF64: return lanes == 2 ? std::optional<std::string>("double2") : std::nullopt;
    case DType::kF16:
    case DType::kBF16: return bytes == 8 ? "int2" : "int4";
    default: return std::nullopt;
  }
}

// Whether its first byte lies at a multiple of so many: what callers give does.
bool IsAligned(const Buffer& buffer, int64_t bytes) {
  if (buffer.scope == MemoryScope::kLocal) return false;
  return buffer.byte_offset % bytes == 0;
}

}  // namespace

Expr LinearPlace(const LoopProgram& program, int id, const std::vector<Expr>& indices) {
  const Buffer& buffer = program.buffers[id];
  const int64_t begin = buffer.parameter >= 0 ? buffer.byte_offset : 0;
  Expr place = IndexConstant(begin / SizeInBytes(buffer.type));
  for (size_t d = 0; d < indices.size(); ++d) {
    place = place + indices[d] * IndexConstant(buffer.strides[d]);
  }
  return Simplify(place, [&](int variable) { return program.variables[variable].range; });
}

std::optional<WideCopy> FindWideCopy(const LoopProgram& program, const For& loop) {
  const auto* store = std::get_if<Store>(&loop.body->node);
  if (loop.kind != LoopKind::kVector || !store || store->value->op != Op::kRead)
    return std::nullopt;
  const ExprNode& read = *store->value;
  const Buffer &to = program.buffers[store->buffer], &from = program.buffers[read.id];
  const std::optional<std::string> type = WideType(to.type, loop.extent);
  const int64_t bytes = loop.extent * SizeInBytes(to.type);
  if (!type || to.type != from.type || !IsAligned(to, bytes) || !IsAligned(from, bytes)) {
    return std::nullopt;
  }
  const auto first = [&](int buffer, const std::vector<Expr>& indices) {
    return FirstPlace(LinearPlace(program, buffer, indices), loop.variable, loop.extent);
  };
  const std::optional<Expr> to_place = first(store->buffer, store->indices);
  const std::optional<Expr> from_place = first(read.id, read.args);
  if (!to_place || !from_place) return std::nullopt;
  return WideCopy{store->buffer, read.id, *to_place, *from_place, *type};
}

}  // namespace schedulegym
