// Terms under a condition, select(c, a * b, 0), are taken side by side. Cost: O(nodes of the
// terms).
#include "env/program/half_reductions.h"

#include <set>
#include <string>

#include "env/program/expressions/half.h"

namespace schedulegym {
namespace {

Expr InF32(const Expr& expr) {
  if (expr->op != Op::kSelect) return Cast(DType::kF32, expr);
  return Select(expr->args[0], InF32(expr->args[1]), InF32(expr->args[2]));
}

Expr WideTerm(Combiner combiner, const Expr& term) {
  const auto wide = [combiner](const Expr& part) { return WideTerm(combiner, part); };
  if (term->op == Op::kSelect) {
    return Select(term->args[0], wide(term->args[1]), wide(term->args[2]));
  }
  if (combiner != Combiner::kSum || term->op != Op::kMultiply) return InF32(term);
  return InF32(term->args[0]) * InF32(term->args[1]);
}

std::string Unused(std::string name, std::set<std::string>& names) {
  while (!names.insert(name).second) name += "_";
  return name;
}

}  // namespace

std::vector<Tensor> SplitHalfReductions(std::vector<Tensor> tensors) {
  std::set<std::string> names;
  for (const Tensor& tensor : tensors) names.insert(tensor.name);
  const size_t count = tensors.size();
  for (size_t id = 0; id < count; ++id) {
    if (tensors[id].combiner == Combiner::kNone || !IsHalf(tensors[id].type)) continue;
    Tensor wide = tensors[id];
    wide.name = Unused(wide.name + "_f32", names);
    wide.type = DType::kF32;
    wide.body = WideTerm(wide.combiner, wide.body);
    Tensor& rounded = tensors[id];
    std::vector<Expr> cell;
    for (size_t i = 0; i < rounded.axes.size(); ++i) cell.push_back(Variable(static_cast<int>(i)));
    rounded.combiner = Combiner::kNone;
    rounded.reduce_axes.clear();
    rounded.body = Cast(rounded.type, Read(DType::kF32, static_cast<int>(tensors.size()), cell));
    tensors.push_back(std::move(wide));
  }
  return tensors;
}

}  // namespace schedulegym
