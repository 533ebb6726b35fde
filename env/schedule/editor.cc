// Makes the next state of a schedule by copy on write: a state that nobody else holds is taken
// over, else its table of stage pointers is copied, and a stage is copied when it is first changed.
// The trace is a linked list of nodes of up to 8 primitives; a full node, or one that another state
// holds, begins a new one. UpdateInlining recomputes, in topological order, the bodies of stages
// whose own op changed or that read a stage whose inlining changed.
// Cost: O(stages) pointers a step, and the stages changed; not the length of the trace.
#include "env/schedule/editor.h"

#include <algorithm>

namespace schedulegym {
namespace {

// Most steps of a trace in one node.
constexpr size_t kMostTogether = 8;

// Whether there is no other owner. The fence orders this after the other owners' releases.
template <typename T>
bool IsUnshared(const std::shared_ptr<T>& held) {
  return std::shared_ptr<T>(held).use_count() == 2;
}

}  // namespace

StateEditor::StateEditor(const ScheduleState& state)
    : state_(std::make_shared<ScheduleState::Data>(*state.data_)) {}

StateEditor::StateEditor(ScheduleState&& state)
    : state_(IsUnshared(state.data_) && !state.data_->is_known()
                 ? std::move(state.data_)
                 : std::make_shared<ScheduleState::Data>(*state.data_)),
      is_taken_(true) {}

Stage& StateEditor::Edit(int id) {
  StagePtr& held = data().stages[id];
  if (!IsUnshared(held)) held = std::make_shared<Stage>(*held);
  return const_cast<Stage&>(*held);  // all stages are created as non-const objects.
}

void StateEditor::SetOp(int id, StageOpPtr op) {
  Stage& stage = Edit(id);
  stage.op = op;
  stage.effective = std::move(op);
  ChangeOf(id).has_new_op = true;
}

size_t StateEditor::PositionOf(int id) const {
  const std::vector<int>& order = state_.order();
  return std::find(order.begin(), order.end(), id) - order.begin();
}

int StateEditor::Add(size_t position, StageOp op) {
  const int id = size();
  std::vector<int>& order = data().order;
  data().stages.push_back(std::make_shared<Stage>(FreshStage(FinishStageOp(std::move(op)))));
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(position), id);
  ChangeOf(id).has_new_op = true;
  return id;
}

int StateEditor::AddBefore(int neighbour, StageOp op) {
  return Add(PositionOf(neighbour), std::move(op));
}

int StateEditor::AddAfter(int neighbour, StageOp op) {
  return Add(PositionOf(neighbour) + 1, std::move(op));
}

std::string StateEditor::FreshName(const std::string& base, const std::string& suffix) const {
  const std::string stem = base + "." + suffix;
  std::string name = stem;
  for (int number = 1;; ++number) {
    const bool taken = std::any_of(state_.stages().begin(), state_.stages().end(),
                                   [&](const StagePtr& stage) { return stage->op->name == name; });
    if (!taken) return name;
    name = stem + std::to_string(number);
  }
}

void StateEditor::MoveAttached(int id, int node, int new_node) {
  for (int other = 0; other < size(); ++other) {
    const Stage& attached = stage(other);
    if (attached.location != Location::kAt || attached.target != id ||
        attached.target_node != node) {
      continue;
    }
    Edit(other).target_node = new_node;
  }
}

StateEditor::Change& StateEditor::ChangeOf(int id) {
  if (changes_.size() <= static_cast<size_t>(id)) changes_.resize(id + 1);
  return changes_[id];
}

void StateEditor::ChangeInlining(int id) { ChangeOf(id).is_new_to_readers = true; }

bool StateEditor::ReadsChanged(int id) const {
  const std::vector<ReadAccess>& reads = stage(id).op->reads;
  return std::any_of(reads.begin(), reads.end(), [&](const ReadAccess& read) {
    return static_cast<size_t>(read.stage) < changes_.size() &&
           changes_[read.stage].is_new_to_readers;
  });
}

StageOpPtr StateEditor::EffectiveOf(int id) const {
  const StageOpPtr& op = stage(id).op;
  const bool reads_inlined =
      std::any_of(op->reads.begin(), op->reads.end(),
                  [&](const ReadAccess& read) { return IsInlined(read.stage); });
  if (!reads_inlined) return op;
  StageOp effective = *op;
  effective.body = Transform(op->body, [&](const Expr& leaf) -> Expr {
    if (leaf->op != Op::kRead || !IsInlined(leaf->id)) return nullptr;
    // Producers come first in the order, so their inlining is complete.
    const StageOp& producer = *stage(leaf->id).effective;
    return Transform(producer.body, [&](const Expr& inner) -> Expr {
      return inner->op == Op::kVariable ? leaf->args[inner->id] : nullptr;
    });
  });
  return FinishStageOp(std::move(effective));
}

void StateEditor::UpdateInlining() {
  for (int id : state_.order()) {
    const bool has_new_op = ChangeOf(id).has_new_op;
    if (!has_new_op && !ReadsChanged(id)) continue;
    StageOpPtr effective = EffectiveOf(id);
    const bool is_same = effective == stage(id).effective;
    if (!is_same) Edit(id).effective = std::move(effective);
    if (has_new_op || !is_same) ChangeOf(id).is_new_to_readers |= IsInlined(id);
  }
  changes_.clear();
}

ScheduleState StateEditor::Finish(Primitive primitive) && {
  std::shared_ptr<ScheduleState::TraceNode>& last = data().last;
  if (last && last->steps.size() < kMostTogether && IsUnshared(last)) {
    last->steps.push_back(std::move(primitive));
    return std::move(state_);
  }
  auto node = std::make_shared<ScheduleState::TraceNode>();
  if (is_taken_) node->steps.reserve(kMostTogether);
  node->index = state_.trace_size();
  node->steps.push_back(std::move(primitive));
  node->previous = std::move(last);
  last = std::move(node);
  return std::move(state_);
}

}  // namespace schedulegym
