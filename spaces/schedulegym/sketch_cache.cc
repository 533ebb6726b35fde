// A tree of states by answers: before loops are tiled, a stage is inlined or not, and keeps partial
// sums in lanes or not. Each node asks one question, and each answer leads to a child made once, up
// to 4096 nodes; beyond, children are made for the caller alone. A leaf holds the state with facts
// and roles of its reductions, valid for later states that share the stage and its operands by
// pointer.
// Cost: a look-up a question, once its node exists.
#include "spaces/schedulegym/sketch_cache.h"

#include <algorithm>
#include <utility>

#include "spaces/schedule_builder.h"
#include "spaces/schedulegym/partial_sums.h"

namespace schedulegym {
namespace {

// Limit of nodes that are kept.
constexpr int kMostNodes = 4096;

}  // namespace

SketchCache::SketchCache(const std::shared_ptr<const Task>& task, const Rules& rules)
    : rules_(rules), order_(task->dag.topological_order()) {
  root_ = From(ScheduleState::Initial(task), /*inlines=*/true, 0);
}

std::shared_ptr<const Prepared> SketchCache::Of(DecisionProvider& decisions) const {
  Node* node = root_.get();
  std::unique_ptr<Node> own;  // beyond the limit of nodes
  while (node->question) {
    const int64_t answer = Ask(*node, decisions);
    if (own) {
      own = After(*node, answer);
      node = own.get();
      continue;
    }
    const std::lock_guard lock(mutex_);
    const auto known = node->next.find(answer);
    if (known != node->next.end()) {
      node = known->second.get();
    } else if (nodes_ < kMostNodes) {
      ++nodes_;
      node = node->next.emplace(answer, After(*node, answer)).first->second.get();
    } else {
      own = After(*node, answer);
      node = own.get();
    }
  }
  return node->prepared;
}

int64_t SketchCache::Ask(const Node& node, DecisionProvider& decisions) {
  const Question& question = *node.question;
  if (question.inlines) return decisions.Inline(node.state, question.stage) ? 1 : 0;
  return decisions.Lanes(node.state, question.stage, question.extent);
}

std::unique_ptr<SketchCache::Node> SketchCache::After(const Node& node, int64_t answer) const {
  const Question& question = *node.question;
  ScheduleBuilder builder(node.state);
  if (!question.inlines) {
    KeepPartials(builder, {question.stage, question.axis, question.extent}, answer);
  } else if (answer != 0) {
    builder.Do(ComputeInline{{question.stage}});
  }
  return From(builder.state(), question.inlines, question.place + 1);
}

std::unique_ptr<SketchCache::Node> SketchCache::From(ScheduleState state, bool inlines,
                                                     size_t place) const {
  std::optional<Question> question;
  if (inlines) question = NextInline(state, place);
  if (!question && rules_.partial_sums) question = NextLanes(state, inlines ? 0 : place);
  auto node = std::make_unique<Node>(Node{std::move(state), question});
  if (!question) node->prepared = std::make_shared<const Prepared>(node->state, rules_.parity);
  return node;
}

std::optional<SketchCache::Question> SketchCache::NextInline(const ScheduleState& state,
                                                             size_t place) const {
  for (; place < order_.size(); ++place) {
    const int id = order_[place];
    const Stage& stage = state.stage(id);
    if (stage.op->kind == StageKind::kInput || stage.effective->is_reduction()) continue;
    if (!Check(state, ComputeInline{{id}})) continue;
    return Question{.stage = id, .place = place};
  }
  return std::nullopt;
}

std::optional<SketchCache::Question> SketchCache::NextLanes(const ScheduleState& state,
                                                            size_t place) const {
  for (; place < order_.size(); ++place) {
    const std::optional<LaneLoop> lanes = FindLanes(state, order_[place]);
    if (lanes) return Question{lanes->stage, false, lanes->axis, lanes->extent, place};
  }
  return std::nullopt;
}

Prepared::Prepared(ScheduleState state, bool parity) : state_(std::move(state)), parity_(parity) {
  for (int id = 0; id < state_.size(); ++id) {
    const StageOp& op = *state_.stage(id).effective;
    if (op.kind == StageKind::kInput || !op.is_reduction()) continue;
    auto facts = std::make_shared<const NestFacts>(AnalyzeNest(state_, id, parity_));
    nests_.emplace(id, Nest{std::move(facts), RoleOf(state_, id)});
  }
}

std::shared_ptr<const NestFacts> Prepared::FactsOf(const ScheduleState& now, int stage) const {
  const Nest* known = Find(now, stage);
  if (known != nullptr) return known->facts;
  return std::make_shared<const NestFacts>(AnalyzeNest(now, stage, parity_));
}

Role Prepared::RoleIn(const ScheduleState& now, int stage) const {
  const Nest* known = Find(now, stage);
  return known != nullptr ? known->role : RoleOf(now, stage);
}

// Stages that nothing was done to are shared by all states.
const Prepared::Nest* Prepared::Find(const ScheduleState& now, int stage) const {
  const auto found = nests_.find(stage);
  if (found == nests_.end()) return nullptr;
  const auto is_same = [&](int id) { return now.stages()[id] == state_.stages()[id]; };
  const std::vector<Operand>& operands = found->second.facts->operands;
  const bool knows =
      is_same(stage) && std::all_of(operands.begin(), operands.end(),
                                    [&](const Operand& operand) { return is_same(operand.stage); });
  return knows ? &found->second : nullptr;
}

}  // namespace schedulegym
