// Vector loops, statement by statement for all lanes, in pieces (PlanVector): conditions of the
// loop's variable become masks, others branches; a store whose lanes may read what other lanes
// store computes all pieces first. Indices that are not linear in the lane are written lane by
// lane. Reductions of a short local buffer into one cell are added as a tree of halves, which
// changes the order of additions.
// Cost: O(extent / lanes) copies of the body, at most 16 and a loop beyond.
#include "backends/llvm/statement_emitter_internal.h"
#include "env/program/expressions/half.h"

namespace schedulegym {
namespace {

// More full vectors than this become a loop.
constexpr int64_t kMostPieces = 16;

}  // namespace

// Combines the elements of a register as a tree: halves, quarters, and so on. Which element meets
// which changes, as reductions permit. Returns whether the loop was one over a register.
bool StatementEmitter::EmitHorizontal(const For& loop) {
  const bool is_short = loop.extent >= 4 && loop.extent <= kMostPieces * cpu_.vector_bytes;
  const auto reduction = is_short ? FindCellReduction(loop) : std::nullopt;
  if (!reduction) return false;
  const ExprNode& element = *reduction->element;
  if (IsHalf(element.type)) return false;
  if (!values_.memory().layout(element.id).is_local) return false;
  const int lanes = static_cast<int>(cpu_.vector_bytes / SizeInBytes(element.type));
  const VectorPlan plan = PlanVector(loop.extent, lanes, /*masks=*/false, kMostPieces);
  forms().Bind(loop.variable, Affine{{{kLane, 1}}, loop.begin});
  forms().SetWidth(static_cast<int>(loop.extent));
  const auto form = values_.ElementForm(element.id, element.args);
  if (plan.repeats > 0 || !form || form->Coefficient(kLane) != 1) return false;
  const auto combine = [&](llvm::Value* a, llvm::Value* b) {
    return values_.arithmetic().Binary(builder(), reduction->op, element.type, a, b);
  };
  llvm::Value* sums[2] = {nullptr, nullptr};  // of whole vectors, of all
  for (const VectorPiece& piece : plan.pieces) {
    Affine place = *form;
    place.constant += piece.offset;
    if (piece.width == 1) place = place.Plus(Affine{{{kLane, 1}}, 0}, -1);
    LaneSet all;
    all.width = all.active = piece.width;
    llvm::Value* part = values_.memory().Load(element.id, place, all);
    if (piece.width == lanes && sums[0] != nullptr) part = combine(sums[0], part);
    if (piece.width == lanes) {
      sums[0] = part;
      continue;
    }
    part = Halve(part, combine);
    sums[1] = sums[1] == nullptr ? part : combine(sums[1], part);
  }
  LaneSet one;
  const auto cell = values_.ElementForm(reduction->store->buffer, reduction->store->indices);
  llvm::Value* total = values_.memory().Load(reduction->store->buffer, *cell, one);
  if (sums[0] != nullptr) total = combine(total, Halve(sums[0], combine));
  if (sums[1] != nullptr) total = combine(total, sums[1]);
  values_.memory().Store(reduction->store->buffer, *cell, total, one);
  return true;
}

// The combination of all lanes.
llvm::Value* StatementEmitter::Halve(
    llvm::Value* vector, const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& combine) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
  if (type == nullptr) return vector;
  const int half = static_cast<int>(type->getNumElements()) / 2;
  llvm::SmallVector<int, 32> low, high;
  for (int lane = 0; lane < half; ++lane) {
    low.push_back(lane);
    high.push_back(lane + half);
  }
  if (half == 1) {
    return combine(builder().CreateExtractElement(vector, uint64_t{0}),
                   builder().CreateExtractElement(vector, uint64_t{1}));
  }
  return Halve(combine(builder().CreateShuffleVector(vector, low),
                       builder().CreateShuffleVector(vector, high)),
               combine);
}

void StatementEmitter::EmitVectorLoop(const Statement& statement, const For& loop) {
  const ProgramFacts::Sizes sizes = facts_.SizesIn(statement);
  VectorLoop vector;
  vector.loop = &loop;
  if (optimize_) {
    vector.lanes = static_cast<int>(std::max<int64_t>(1, cpu_.vector_bytes / sizes.largest));
    vector.masks = cpu_.HasMasks(sizes.largest) && cpu_.HasMasks(sizes.smallest);
  }
  EmitVectorBody(vector, *loop.body);
  forms().Unbind(loop.variable);
}

// Statement by statement, each for all lanes.
void StatementEmitter::EmitVectorBody(VectorLoop& vector, const Statement& statement) {
  if (const auto* block = std::get_if<Block>(&statement.node)) {
    for (const StatementPtr& part : block->statements) EmitVectorBody(vector, *part);
    return;
  }
  if (const auto* store = std::get_if<Store>(&statement.node)) {
    return EmitVectorStore(vector, statement, *store);
  }
  forms().Bind(vector.loop->variable, Affine{{{kLane, 1}}, 0});
  for (const LaneStep& step : vector.steps) {
    if (step.let != nullptr) forms().BindLazily(step.let->variable, step.let->value);
  }
  if (const auto* let = std::get_if<Let>(&statement.node)) {
    vector.steps.push_back({let, nullptr, true});
    EmitVectorBody(vector, *let->body);
    vector.steps.pop_back();
    forms().Unbind(let->variable);
    return;
  }
  const If& branch = std::get<If>(statement.node);
  const auto emit_side = [&](const StatementPtr& side) {
    if (side) EmitVectorBody(vector, *side);
  };
  if (!forms().UsesLane(branch.condition)) {
    return EmitBranch(
        values_.Emit(branch.condition, {}), [&] { emit_side(branch.then_body); },
        [&] { emit_side(branch.else_body); });
  }
  for (const bool holds : {true, false}) {
    vector.steps.push_back({nullptr, branch.condition, holds});
    emit_side(holds ? branch.then_body : branch.else_body);
    vector.steps.pop_back();
  }
}

void StatementEmitter::EmitVectorStore(VectorLoop& vector, const Statement& statement,
                                       const Store& store) {
  // A lane may read a cell that another lane stores, so all lanes read first.
  const bool reads_first = ReadsOtherCells(store);
  const int64_t most = reads_first ? vector.loop->extent : kMostPieces;
  const VectorPlan plan = PlanVector(vector.loop->extent, vector.lanes, vector.masks, most);
  if (plan.repeats > 0) {
    EmitLoop(builder().getInt64(0), builder().getInt64(plan.repeats), {0, plan.repeats - 1},
             statement, [&](int symbol) {
               Affine form{{{symbol, vector.lanes}}, 0};
               if (vector.lanes > 1) form.Add(kLane, 1);
               forms().Bind(vector.loop->variable, form);
               forms().SetWidth(vector.lanes);
               const VectorPiece piece{0, vector.lanes, vector.lanes};
               WritePiece(store, ComputePiece(vector, store, piece));
             });
  }
  if (!reads_first) {
    for (const VectorPiece& piece : plan.pieces) {
      BindPiece(vector, piece);
      WritePiece(store, ComputePiece(vector, store, piece));
    }
    return;
  }
  std::vector<PieceValue> values;
  for (const VectorPiece& piece : plan.pieces) {
    BindPiece(vector, piece);
    values.push_back(ComputePiece(vector, store, piece));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    BindPiece(vector, plan.pieces[i]);
    for (const LaneStep& step : vector.steps) {
      if (step.let != nullptr) forms().BindLazily(step.let->variable, step.let->value);
    }
    WritePiece(store, values[i]);
  }
}

void StatementEmitter::BindPiece(const VectorLoop& vector, const VectorPiece& piece) {
  Affine form{{}, piece.offset};
  if (piece.width > 1) form.Add(kLane, 1);
  forms().Bind(vector.loop->variable, form);
  forms().SetWidth(piece.active);
}

StatementEmitter::PieceValue StatementEmitter::ComputePiece(const VectorLoop& vector,
                                                            const Store& store,
                                                            const VectorPiece& piece) {
  PieceValue result;
  result.lanes.width = piece.width;
  result.lanes.active = piece.active;
  for (const LaneStep& step : vector.steps) {
    if (step.let != nullptr) {
      forms().BindLazily(step.let->variable, step.let->value);
      continue;
    }
    llvm::Value* condition = values_.Emit(step.condition, result.lanes);
    if (const auto* known = llvm::dyn_cast<llvm::Constant>(condition)) {
      if (known->isAllOnesValue() == step.holds && known->isNullValue() != step.holds) continue;
      result.skipped |= known->isAllOnesValue() || known->isNullValue();
      if (result.skipped) return result;
    }
    result.lanes = values_.Narrow(condition, step.holds, result.lanes);
  }
  result.value = values_.EmitStored(store, result.lanes);
  return result;
}

void StatementEmitter::WritePiece(const Store& store, const PieceValue& piece) {
  if (piece.skipped) return;
  LaneSet lanes = piece.lanes;
  lanes.guard = nullptr;
  const auto write = [&] {
    const auto form = values_.ElementForm(store.buffer, store.indices);
    if (!form) return WriteLanes(store, piece.value, lanes);
    NoteStore(store, *form);
    values_.memory().Store(store.buffer, *form, piece.value, lanes);
  };
  if (piece.lanes.guard == nullptr) return write();
  EmitBranch(piece.lanes.guard, write, [] {});
}

// Lane after lane, at indices that are not linear in the lane.
void StatementEmitter::WriteLanes(const Store& store, llvm::Value* value, const LaneSet& lanes) {
  value = frame().Splat(value, lanes.width);
  const auto write_lane = [&](const LaneSet& one, int lane) -> llvm::Value* {
    const auto write = [&] {
      const auto form = values_.ElementForm(store.buffer, store.indices);
      values_.memory().Store(store.buffer, *form, builder().CreateExtractElement(value, lane), {});
    };
    if (one.guard == nullptr) {
      write();
    } else {
      EmitBranch(one.guard, write, [] {});
    }
    return nullptr;
  };
  const DType type = program_.buffers[store.buffer].type;
  values_.PerLane(MemoryType(module_.getContext(), type), lanes, write_lane);
}

}  // namespace schedulegym
