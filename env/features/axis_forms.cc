// Each stage's axes as linear forms of the loops around its statement, and how far each axis
// reaches while the loops from a level on run. Stages at a loop of another begin at what their
// readers read: the readers' forms, over the outer loops, are the base; spans are the hull of the
// readers' indices. What is not linear in the loops (parts of fused loops) is an atom: a column of
// its own, with the loops it depends on. Non-affine indices keep only their terms.
// Cost: O(readers * dimensions * (loops + atoms)) a stage.
#include "env/features/axis_forms.h"

#include <algorithm>

#include "env/features/node_forms.h"
#include "env/program/expressions/integer_math.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

void CollectTerms(const Expr& expr, int64_t factor, ReadIndex::Terms& terms) {
  if (expr->op == Op::kVariable) {
    terms.emplace_back(expr->id, factor);
    return;
  }
  if (expr->op == Op::kMultiply) {
    const int constant = IsConstant(expr->args[0]) ? 0 : 1;
    const Expr& other = expr->args[1 - constant];
    const bool scales = IsConstant(expr->args[constant]);
    CollectTerms(other, scales ? factor * expr->args[constant]->integer : factor, terms);
    if (!scales) CollectTerms(expr->args[1], factor, terms);
    return;
  }
  for (const Expr& arg : expr->args) CollectTerms(arg, factor, terms);
}

class FormsFinder {
 public:
  FormsFinder(const ScheduleState& state, const LoopStructure& structure)
      : state_(state), entries_(state.size()), forms_(state.size()) {
    for (const StructureStage& entry : structure.stages) entries_[entry.stage] = &entry;
  }

  std::vector<AxisForms> Run() {
    const std::vector<int>& order = state_.order();
    for (size_t i = order.size(); i-- > 0;) {
      if (entries_[order[i]]) Visit(*entries_[order[i]]);
    }
    return std::move(forms_);
  }

 private:
  struct Reader {
    const AxisForms* forms;
    std::vector<ReadIndex> indices;
  };

  void Visit(const StructureStage& entry) {
    const Stage& stage = state_.stage(entry.stage);
    AxisForms& forms = forms_[entry.stage];
    if (entry.parent >= 0) TakeOuterLoops(entry, forms);
    for (const StructureLoop& loop : entry.loops) {
      if (loop.extent > 1) forms.loops.push_back({next_loop_++, loop.extent, loop.annotation});
    }
    const NodeForms nodes(stage, entry);
    const size_t atoms = forms.inherited + nodes.atom_count();
    forms.axes = Matrix(stage.effective->axes.size(), forms.loops.size() + atoms);
    forms.atoms = Matrix(atoms, forms.loops.size());
    forms.spans = Matrix(forms.loops.size() + 1, stage.effective->axes.size());
    TakeOwnForms(nodes, forms);
    const std::vector<int64_t>& region = entry.region;
    for (size_t d = 0; d < region.size(); ++d) {
      forms.shifted.push_back(region[d] < stage.effective->axes[d].extent);
    }
    if (entry.parent >= 0) TakeReaders(entry, forms);
  }

  void TakeOuterLoops(const StructureStage& entry, AxisForms& forms) {
    const AxisForms& parent = forms_[entry.parent];
    const std::vector<StructureLoop>& loops = entries_[entry.parent]->loops;
    forms.outer = parent.outer;
    for (int i = 0; i <= entry.parent_loop; ++i) forms.outer += loops[i].extent > 1;
    forms.inherited = parent.atom_count();
    forms.loops.reserve(forms.outer + entry.loops.size());
    forms.loops.assign(parent.loops.begin(), parent.loops.begin() + forms.outer);
  }

  void TakeOwnForms(const NodeForms& nodes, AxisForms& forms) const {
    const size_t axes = forms.spans.columns();
    const size_t own = forms.loops.size() - forms.outer;
    const size_t first_atom = forms.loops.size() + forms.inherited;
    for (size_t axis = 0; axis < axes; ++axis) {
      const auto from = nodes.row(axis);
      const auto to = forms.axes[axis];
      std::copy_n(from.begin(), own, to.begin() + forms.outer);
      std::copy_n(from.begin() + own, nodes.atom_count(), to.begin() + first_atom);
    }
    for (int atom = 0; atom < nodes.atom_count(); ++atom) {
      const auto from = nodes.atom(atom);
      std::copy(from.begin(), from.end(),
                forms.atoms[forms.inherited + atom].begin() + forms.outer);
    }
    nodes.FillSpans(forms.spans, forms.outer);
  }

  // Adds what the readers need: the loops around shift the region, and extend it as they run.
  void TakeReaders(const StructureStage& entry, AxisForms& forms) const {
    const AxisForms& parent = forms_[entry.parent];
    for (int atom = 0; atom < forms.inherited; ++atom) {
      std::copy_n(parent.atoms[atom].begin(), forms.outer, forms.atoms[atom].begin());
    }
    const std::vector<Reader> readers = ReadersOf(entry.stage);
    for (size_t d = 0; d < entry.region.size(); ++d) {
      if (forms.shifted[d] && !readers.empty())
        AddBase(*readers[0].forms, readers[0].indices[d], forms.axes[d], forms);
    }
    const std::vector<Axis>& axes = state_.stage(entry.stage).effective->axes;
    for (int level = 0; level < forms.outer; ++level) {
      const auto spans = forms.spans[level];
      for (size_t d = 0; d < entry.region.size(); ++d) {
        spans[d] = std::clamp(HullOf(readers, d, level), entry.region[d], axes[d].extent);
      }
      for (size_t axis = entry.region.size(); axis < axes.size(); ++axis) {
        spans[axis] = axes[axis].extent;
      }
    }
  }

  std::vector<Reader> ReadersOf(int id) const {
    std::vector<Reader> readers;
    for (int other : state_.order()) {
      if (!entries_[other]) continue;
      for (const ReadAccess& read : state_.stage(other).effective->reads) {
        if (read.stage != id) continue;
        readers.push_back({&forms_[other], {}});
        for (size_t d = 0; d < read.indices.size(); ++d) {
          readers.back().indices.emplace_back(read.indices[d], read.affine[d]);
        }
      }
    }
    return readers;
  }

  static void AddBase(const AxisForms& reader, const ReadIndex& index, std::span<int64_t> row,
                      const AxisForms& forms) {
    for (const auto& [axis, factor] : index.terms()) {
      const auto from = reader.axes[axis];
      for (int level = 0; level < forms.outer; ++level) row[level] += factor * from[level];
      for (int atom = 0; atom < reader.atom_count(); ++atom) {
        const int64_t coefficient = factor * from[reader.depth() + atom];
        if (coefficient == 0 || !reader.IsOuter(atom, forms.outer)) continue;
        if (atom < forms.inherited) {
          row[forms.depth() + atom] += coefficient;
          continue;
        }
        for (int level = 0; level < forms.outer; ++level) {
          row[level] += coefficient * reader.atoms[atom][level];
        }
      }
    }
  }

  static int64_t HullOf(const std::vector<Reader>& readers, size_t dimension, int level) {
    Range hull{0, 0};
    for (size_t i = 0; i < readers.size(); ++i) {
      const Range values = readers[i].indices[dimension].Values(readers[i].forms->spans[level]);
      hull.low = i == 0 ? values.low : std::min(hull.low, values.low);
      hull.high = i == 0 ? values.high : std::max(hull.high, values.high);
    }
    return hull.high - hull.low + 1;
  }

  const ScheduleState& state_;
  std::vector<const StructureStage*> entries_;  // by stage, null where it has no loops
  std::vector<AxisForms> forms_;
  int next_loop_ = 0;
};

}  // namespace

int64_t AxisForms::Coefficient(std::span<const int64_t> row, int level) const {
  int64_t smallest = std::abs(row[level]);
  for (int atom = 0; atom < atom_count(); ++atom) {
    if (row[depth() + atom] == 0) continue;
    const int64_t coefficient = std::abs(row[depth() + atom] * atoms[atom][level]);
    if (coefficient != 0 && (smallest == 0 || coefficient < smallest)) smallest = coefficient;
  }
  return smallest;
}

bool AxisForms::IsOuter(int atom, int level) const {
  const auto row = atoms[atom].first(level);
  return std::any_of(row.begin(), row.end(), [](int64_t coefficient) { return coefficient != 0; });
}

ReadIndex::ReadIndex(const Expr& expr, const std::optional<Affine>& affine)
    : expr_(&expr), affine_(affine ? &*affine : nullptr) {
  if (!affine_) CollectTerms(expr, 1, terms_);
}

Range ReadIndex::Values(std::span<const int64_t> spans) const {
  if (!affine_) {
    return BoundsOf(*expr_, [&](int axis) { return Range{0, spans[axis] - 1}; });
  }
  Range values{affine_->constant, affine_->constant};
  for (const auto& [axis, factor] : affine_->terms) {
    (factor < 0 ? values.low : values.high) += factor * (spans[axis] - 1);
  }
  return values;
}

std::vector<AxisForms> FindAxisForms(const ScheduleState& state, const LoopStructure& structure) {
  return FormsFinder(state, structure).Run();
}

}  // namespace schedulegym
