// Executes a flattened loop program, the meaning that generated code is compared with. A vector
// loop computes all its lanes before it stores any; lets and conditions are evaluated lane by lane.
// The token of the end is polled every 1024 turns. Fails on an access that CheckedBuffer refuses
// and on outputs with a cell that was not written.
// Cost: O(operations executed), one dispatch each.
#include "backends/interpreter/machine.h"

#include <utility>

namespace schedulegym {
namespace {

constexpr size_t kMostDimensions = 32;
// A turn of a loop takes a tenth of a microsecond and more.
constexpr int64_t kTurnsBetweenLooks = 1 << 10;

}  // namespace

Machine::Machine(const LoopProgram& program, const FlatProgram& flat,
                 std::vector<std::byte*> arguments, const std::function<bool()>& end)
    : program_(program), flat_(flat), variables_(program.variables.size()), end_(end) {
  for (const Buffer& buffer : program.buffers) {
    SG_CHECK(buffer.shape.size() <= kMostDimensions, "a buffer of too many dimensions");
    if (buffer.parameter < 0) {
      buffers_.emplace_back(buffer, nullptr, /*read_only=*/false);
    } else {
      buffers_.emplace_back(buffer, arguments[buffer.parameter] + buffer.byte_offset,
                            !program.parameters[buffer.parameter].is_output);
    }
  }
}

Result<void> Machine::Run() {
  Execute(flat_.root);
  if (failed()) return *error_;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const int parameter = program_.buffers[i].parameter;
    if (parameter < 0 || program_.parameters[parameter].is_packed) continue;
    if (auto checked = buffers_[i].CheckWritten(); !checked) return checked;
  }
  return {};
}

template <typename T>
T Machine::Checked(Result<T> result, T otherwise) {
  if (result) return *result;
  if (!failed()) error_ = result.error();
  return otherwise;
}

Scalar Machine::Evaluate(int position) {
  const FlatExpr& expr = flat_.exprs[position];
  switch (expr.op) {
    case Op::kInteger:
    case Op::kNumber:
      return IsFloating(expr.type) ? NumberScalar(expr.number) : IntegerScalar(expr.integer);
    case Op::kVariable: return IntegerScalar(variables_[expr.id]);
    case Op::kRead: return EvaluateRead(expr);
    case Op::kCast: return CastScalar(expr.argument_type, expr.type, Evaluate(expr.args[0]));
    case Op::kSelect: return Evaluate(expr.args[Evaluate(expr.args[0]).integer != 0 ? 1 : 2]);
    case Op::kAnd: {
      const Scalar left = Evaluate(expr.args[0]);
      return left.integer == 0 ? left : Evaluate(expr.args[1]);
    }
    case Op::kOr: {
      const Scalar left = Evaluate(expr.args[0]);
      return left.integer != 0 ? left : Evaluate(expr.args[1]);
    }
    default: break;
  }
  const Scalar first = Evaluate(expr.args[0]);
  if (expr.args.size() == 1) return UnaryScalar(expr.op, expr.type, first);
  return BinaryScalar(expr.op, expr.argument_type, first, Evaluate(expr.args[1]));
}

Scalar Machine::EvaluateRead(const FlatExpr& expr) {
  int64_t index[kMostDimensions];
  for (size_t d = 0; d < expr.args.size(); ++d) index[d] = EvaluateIndex(expr.args[d]);
  if (failed()) return IntegerScalar(0);
  return Checked(buffers_[expr.id].Load(index, parallel_), NumberScalar(0));
}

std::optional<int64_t> Machine::CellOf(const FlatStep& store) {
  int64_t index[kMostDimensions];
  for (size_t d = 0; d < store.parts.size(); ++d) index[d] = EvaluateIndex(store.parts[d]);
  if (failed()) return std::nullopt;
  const int64_t cell = Checked(buffers_[store.id].CellOf(index), int64_t{0});
  return failed() ? std::nullopt : std::optional(cell);
}

void Machine::Execute(int position) {
  if (failed()) return;
  const FlatStep& step = flat_.steps[position];
  switch (step.kind) {
    case FlatStep::Kind::kFor: return ExecuteLoop(step);
    case FlatStep::Kind::kVector: return ExecuteLanes(step, step.body);
    case FlatStep::Kind::kLet:
      variables_[step.id] = EvaluateIndex(step.value);
      return Execute(step.body);
    case FlatStep::Kind::kIf:
      if (EvaluateIndex(step.value) != 0) return Execute(step.body);
      if (step.other >= 0) Execute(step.other);
      return;
    case FlatStep::Kind::kAllocate:
      buffers_[step.id].Reset(parallel_.size());
      return Execute(step.body);
    case FlatStep::Kind::kStore: return ExecuteStore(step);
    case FlatStep::Kind::kBlock:
      for (const int part : step.parts) Execute(part);
      return;
  }
}

void Machine::ExecuteLoop(const FlatStep& loop) {
  if (loop.parallel) parallel_.push_back({executions_++, 0});
  const int64_t end = loop.begin + loop.extent;
  for (int64_t i = loop.begin; i < end && !failed(); ++i) {
    if (loop.parallel) parallel_.back().iteration = i - loop.begin;
    variables_[loop.id] = i;
    Execute(loop.body);
    LookAtEnd();
  }
  if (loop.parallel) parallel_.pop_back();
}

void Machine::LookAtEnd() {
  if (!end_ || ++turns_ % kTurnsBetweenLooks != 0 || failed() || !end_()) return;
  error_ = Error{ErrorKind::kRun, "the call was ended"};
}

void Machine::ExecuteStore(const FlatStep& store) {
  const Scalar value = Evaluate(store.value);
  const auto cell = CellOf(store);
  if (!cell) return;
  const auto stored = buffers_[store.id].Store(*cell, value, parallel_);
  if (!stored) error_ = stored.error();
}

// Statement by statement, each for all lanes.
void Machine::ExecuteLanes(const FlatStep& loop, int position) {
  const FlatStep& step = flat_.steps[position];
  switch (step.kind) {
    case FlatStep::Kind::kStore: return StoreLanes(loop, step);
    case FlatStep::Kind::kBlock:
      for (const int part : step.parts) ExecuteLanes(loop, part);
      return;
    default: break;
  }
  for (const bool holds : {true, false}) {
    const int body = holds ? step.body : step.other;
    if (body < 0) continue;
    lane_steps_.push_back({&step, holds});
    ExecuteLanes(loop, body);
    lane_steps_.pop_back();
  }
}

// Binds the lets of the current lane; whether all conditions around the store hold.
bool Machine::EnterLane() {
  for (const auto& [step, holds] : lane_steps_) {
    const int64_t value = EvaluateIndex(step->value);
    if (step->kind == FlatStep::Kind::kLet) {
      variables_[step->id] = value;
    } else if ((value != 0) != holds) {
      return false;
    }
  }
  return true;
}

void Machine::StoreLanes(const FlatStep& loop, const FlatStep& store) {
  pending_.clear();
  for (int64_t lane = 0; lane < loop.extent && !failed(); ++lane) {
    variables_[loop.id] = loop.begin + lane;
    if (!EnterLane()) continue;
    const Scalar value = Evaluate(store.value);
    if (const auto cell = CellOf(store)) pending_.push_back({*cell, value});
  }
  for (const PendingStore& lane : pending_) {
    if (failed()) return;
    const auto stored = buffers_[store.id].Store(lane.cell, lane.value, parallel_);
    if (!stored) error_ = stored.error();
  }
}

}  // namespace schedulegym
