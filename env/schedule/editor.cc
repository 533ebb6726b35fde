#include "env/schedule/editor.h"

#include <algorithm>

namespace schedulegym {

StateEditor::StateEditor(const ScheduleState& state)
    : original_(state), stages_(state.stages()), edited_(stages_.size()), order_(state.order()) {}

Stage& StateEditor::Edit(int id) {
  if (!edited_[id]) {
    edited_[id] = std::make_shared<Stage>(*stages_[id]);
    stages_[id] = edited_[id];
  }
  return *edited_[id];
}

void StateEditor::SetOp(int id, StageOpPtr op) {
  Stage& stage = Edit(id);
  stage.op = op;
  stage.effective = std::move(op);
}

size_t StateEditor::PositionOf(int id) const {
  return std::find(order_.begin(), order_.end(), id) - order_.begin();
}

int StateEditor::Add(size_t position, StageOp op) {
  const int id = size();
  auto stage = std::make_shared<Stage>(FreshStage(FinishStageOp(std::move(op))));
  stages_.push_back(stage);
  edited_.push_back(std::move(stage));
  order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(position), id);
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
    const bool taken = std::any_of(stages_.begin(), stages_.end(),
                                   [&](const StagePtr& stage) { return stage->op->name == name; });
    if (!taken) return name;
    name = stem + std::to_string(number);
  }
}

void StateEditor::MoveAttached(int id, int node, int new_node) {
  for (int other = 0; other < size(); ++other) {
    const Stage& stage = *stages_[other];
    if (stage.location != Location::kAt || stage.target != id || stage.target_node != node)
      continue;
    Edit(other).target_node = new_node;
  }
}

void StateEditor::UpdateInlining() {
  for (int id : order_) {
    const StageOp& op = *stages_[id]->op;
    const bool reads_inlined = std::any_of(op.reads.begin(), op.reads.end(), [&](const auto& read) {
      return stages_[read.stage]->location == Location::kInlined;
    });
    if (!reads_inlined) {
      if (stages_[id]->effective != stages_[id]->op) Edit(id).effective = stages_[id]->op;
      continue;
    }
    StageOp effective = op;
    effective.body = Transform(op.body, [&](const Expr& leaf) -> Expr {
      if (leaf->op != Op::kRead || stages_[leaf->id]->location != Location::kInlined)
        return nullptr;
      // Producers come first in the order, so their own inlining is done.
      const StageOp& producer = *stages_[leaf->id]->effective;
      return Transform(producer.body, [&](const Expr& inner) -> Expr {
        return inner->op == Op::kVariable ? leaf->args[inner->id] : nullptr;
      });
    });
    Edit(id).effective = FinishStageOp(std::move(effective));
  }
}

ScheduleState StateEditor::Finish(Primitive primitive) && {
  auto node = std::make_shared<ScheduleState::TraceNode>(ScheduleState::TraceNode{
      std::move(primitive), original_.trace_size(), original_.data_->last});
  return ScheduleState(std::make_shared<const ScheduleState::Data>(ScheduleState::Data{
      original_.shared_task(), std::move(stages_), std::move(order_), std::move(node)}));
}

}  // namespace schedulegym
