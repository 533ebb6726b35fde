// The statements of a schedule in the program's order, without lowering it: loops longer than one,
// automatic unrolling as lowering does it (env/lower/nest.cc), local tiles (walk_cells.cc, at most
// 4096 cells), accesses with strides and footprints (nest_access.cc), and operations of values and
// indices. Stages computed at a loop come before the statement around them; a reduction's
// initialization is a step of its own before its first reduction loop.
// Cost: O(stages^2) to place stages, and the accesses of each.
#include "env/features/loop_nests.h"

#include <algorithm>

namespace schedulegym {
namespace {

// Loops of a nest after automatic unrolling, as lowering does it.
std::vector<bool> UnrolledOrVector(const Stage& stage, const std::vector<StructureLoop>& loops) {
  std::vector<bool> result;
  for (const StructureLoop& loop : loops) result.push_back(IsUnrolledOrVector(loop.annotation));
  int64_t steps = 1;
  for (size_t i = loops.size(); i-- > 0;) {
    const Annotation annotation = loops[i].annotation;
    if (annotation == Annotation::kVectorize) continue;
    if (annotation != Annotation::kNone && annotation != Annotation::kUnroll) break;
    if (__builtin_mul_overflow(steps, loops[i].extent, &steps)) break;
    if (steps > stage.auto_unroll_max_step) break;
    result[i] = true;
  }
  return result;
}

// Whether lowering keeps the partial sums in a local tile, whose indices are loops and cost
// nothing: where all spatial loops within some reduction loop are unrolled or vectors.
bool KeepsTile(const Stage& stage, const std::vector<StructureLoop>& loops) {
  constexpr int64_t kMostCells = 4096;
  const std::vector<bool> flat = UnrolledOrVector(stage, loops);
  size_t position = 0;
  int64_t cells = 1;
  for (size_t i = loops.size(); i-- > 0;) {
    if (loops[i].reduction) continue;
    if ((!flat[i] && loops[i].extent != 1) || cells * loops[i].extent > kMostCells) {
      position = i + 1;
      break;
    }
    cells *= loops[i].extent;
  }
  const auto is_reduction = [](const StructureLoop& loop) { return loop.reduction; };
  return std::any_of(loops.begin() + static_cast<int64_t>(position), loops.end(), is_reduction);
}

bool IsPrepared(const ScheduleState& state, const Stage& stage) {
  if (stage.op->kind != StageKind::kPack || stage.location != Location::kRoot) return false;
  const int tensor = state.stage(stage.op->source).op->tensor;
  return tensor >= 0 && state.task().dag.tensor(tensor).kind == TensorKind::kWeight &&
         stage.effective->reads[0].stage == stage.op->source;
}

class NestFinder {
 public:
  explicit NestFinder(const ScheduleState& state)
      : state_(state), structure_(InferLoops(state)), forms_(FindAxisForms(state, structure_)) {
    dimensions_.reserve(state.size());
    for (const StagePtr& stage : state.stages())
      dimensions_.push_back(StoredDimensions(*stage->op));
  }

  LoopNests Run() {
    result_.nests.reserve(structure_.stages.size());
    for (const StructureStage& entry : structure_.stages) {
      for (const NestLoop& loop : forms_[entry.stage].loops) {
        result_.loops = std::max(result_.loops, loop.id + 1);
      }
      if (entry.parent < 0) Visit(entry);
    }
    return std::move(result_);
  }

 private:
  // Stages computed at a loop of this one come first.
  void Visit(const StructureStage& entry) {
    const size_t first_step = result_.steps.size();
    bool initialized = !state_.stage(entry.stage).effective->is_reduction();
    for (size_t i = 0; i < entry.loops.size(); ++i) {
      if (!initialized && entry.loops[i].reduction) {
        initialized = true;
        result_.steps.push_back({-1, true});
      }
      for (const StructureStage& inner : structure_.stages) {
        if (inner.parent == entry.stage && inner.parent_loop == static_cast<int>(i)) Visit(inner);
      }
    }
    const int nest = static_cast<int>(result_.nests.size());
    for (size_t i = first_step; i < result_.steps.size(); ++i) {
      if (result_.steps[i].nest < 0) result_.steps[i].nest = nest;
    }
    result_.steps.push_back({nest, false});
    result_.nests.push_back(MakeNest(entry));
  }

  LoopNest MakeNest(const StructureStage& entry) const {
    const Stage& stage = state_.stage(entry.stage);
    const AxisForms& forms = forms_[entry.stage];
    LoopNest nest;
    nest.stage = entry.stage;
    nest.loops = forms.loops;
    nest.outer = forms.outer;
    for (int level = 0; level < forms.depth(); ++level) {
      const auto extent = static_cast<double>(forms.loops[level].extent);
      nest.iterations *= extent;
      if (level < forms.outer) nest.outer_iterations *= extent;
    }
    if (stage.effective->is_reduction()) nest.first_reduction = FirstReduction(entry, forms);
    nest.flat_level = FlatLevel(stage, entry, forms);
    nest.stored_elements = StoredElements(*stage.op, entry.region);
    nest.is_prepared = IsPrepared(state_, stage);
    nest.is_parameter = nest.is_prepared || state_.is_output(entry.stage);
    TakeStatement(entry, nest);
    return nest;
  }

  static int FirstReduction(const StructureStage& entry, const AxisForms& forms) {
    int level = forms.outer;
    for (const StructureLoop& loop : entry.loops) {
      if (loop.reduction) break;
      level += loop.extent > 1;
    }
    return level;
  }

  static int FlatLevel(const Stage& stage, const StructureStage& entry, const AxisForms& forms) {
    const std::vector<bool> flat = UnrolledOrVector(stage, entry.loops);
    int level = forms.depth();
    for (size_t i = flat.size(); i-- > 0 && (flat[i] || entry.loops[i].extent == 1);) {
      level -= entry.loops[i].extent > 1;
    }
    return level;
  }

  void TakeStatement(const StructureStage& entry, LoopNest& nest) const {
    const Stage& stage = state_.stage(entry.stage);
    const StageOp& op = *stage.effective;
    const AxisForms& forms = forms_[entry.stage];
    const IndexTuple cell = MakeOwnCell(op, forms);
    const auto& dimensions = dimensions_[entry.stage];
    nest.accesses.reserve(op.reads.size() + 1);
    nest.accesses.push_back(MakeBufferAccess(*stage.op, dimensions, {&cell, 1}, forms));
    nest.accesses[0].buffer = entry.stage;
    nest.accesses[0].is_store = true;
    nest.accesses[0].home = forms.outer;
    nest.accesses[0].is_read = op.is_reduction();
    nest.operations = CountValue(op.value, forms);
    nest.operations += CountCombination(op.combiner, op.type);
    if (op.is_reduction() && !KeepsTile(stage, entry.loops)) {
      const BufferBase base{forms.outer, forms.shifted, std::vector<int64_t>(op.spatial)};
      nest.operations += CountIndices(dimensions, cell, forms, base);
    }
    for (size_t i = 0; i < op.reads.size(); ++i) {
      const auto is_same = [&](const ReadAccess& read) { return read.stage == op.reads[i].stage; };
      const auto here = op.reads.begin() + static_cast<int64_t>(i);
      if (std::none_of(op.reads.begin(), here, is_same)) TakeReads(op, op.reads[i].stage, nest);
    }
  }

  // All reads of one buffer.
  void TakeReads(const StageOp& op, int buffer, LoopNest& nest) const {
    const AxisForms& forms = forms_[nest.stage];
    std::vector<IndexTuple> places;
    for (const ReadAccess& read : op.reads) {
      if (read.stage == buffer) places.push_back(MakeIndexTuple(read, forms));
    }
    const StageOp& source = *state_.stage(buffer).op;
    nest.accesses.push_back(MakeBufferAccess(source, dimensions_[buffer], places, forms));
    nest.accesses.back().buffer = buffer;
    nest.accesses.back().is_read = true;
    nest.accesses.back().home = forms_[buffer].outer;
    const BufferBase base = BaseOf(buffer, places);
    for (const IndexTuple& place : places) {
      nest.operations += CountIndices(dimensions_[buffer], place, forms, base);
    }
  }

  BufferBase BaseOf(int buffer, const std::vector<IndexTuple>& places) const {
    BufferBase base{forms_[buffer].outer, forms_[buffer].shifted, {}};
    for (size_t d = 0; d < base.shifted.size(); ++d) {
      base.constants.push_back(places[0].Constant(d));
      for (const IndexTuple& place : places) {
        base.constants[d] = std::min(base.constants[d], place.Constant(d));
      }
    }
    return base;
  }

  const ScheduleState& state_;
  LoopStructure structure_;
  std::vector<AxisForms> forms_;                          // by stage
  std::vector<std::vector<StoredDimension>> dimensions_;  // by stage
  LoopNests result_;
};

}  // namespace

LoopNests FindLoopNests(const ScheduleState& state) { return NestFinder(state).Run(); }

}  // namespace schedulegym
