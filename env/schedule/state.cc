// Schedule states: stages, their topological order, and the trace that led there. The initial state
// has one stage a tensor. Apply checks a primitive, then edits a copy (editor.h); Replay applies a
// trace to the initial state. A trace's text is the line `trace 1`, then a primitive a line,
// comments after `#`, at most 4096 primitives; parsing it gives an equal state or an error with its
// line.
// Cost: a step is O(stages) pointer copies; step(i) walks back through nodes of up to 8 primitives.
#include "env/schedule/state.h"

#include <algorithm>

#include "env/base/text.h"
#include "env/base/utf8.h"
#include "env/schedule/editor.h"

namespace schedulegym {
namespace {

StageOp OpOfTensor(const Tensor& tensor, int id) {
  StageOp op;
  op.name = tensor.name;
  op.tensor = id;
  op.type = tensor.type;
  if (tensor.kind != TensorKind::kDefinition) {
    op.kind = StageKind::kInput;
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      op.axes.push_back({"i" + std::to_string(i), tensor.shape[i]});
    }
    op.spatial = static_cast<int>(op.axes.size());
    return op;
  }
  op.axes = tensor.axes;
  op.axes.insert(op.axes.end(), tensor.reduce_axes.begin(), tensor.reduce_axes.end());
  op.spatial = static_cast<int>(tensor.axes.size());
  op.combiner = tensor.combiner;
  op.body = tensor.body;
  return op;
}

ScheduleState Applied(StateEditor editor, const Primitive& primitive) {
  std::visit([&](const auto& p) { ApplyPrimitive(editor, p); }, primitive);
  return std::move(editor).Finish(primitive);
}

constexpr std::string_view kHeader = "trace 1";
// The longest that searches make have hundreds; each makes the state that the next one copies.
constexpr size_t kMostPrimitives = 4096;

struct Line {
  int number;
  std::string_view text;
};

// Lines with something on them, comments cut off.
std::vector<Line> UsefulLines(const std::vector<std::string>& lines) {
  std::vector<Line> useful;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view text = Trim(std::string_view(lines[i]).substr(0, lines[i].find('#')));
    if (!text.empty()) useful.push_back({static_cast<int>(i) + 1, text});
  }
  return useful;
}

Error AtLine(int number, const Error& error) {
  return {error.kind, "line " + std::to_string(number) + ": " + error.message};
}

}  // namespace

ScheduleState ScheduleState::Initial(std::shared_ptr<const Task> task) {
  auto data = std::make_shared<Data>();
  for (int id = 0; id < task->dag.size(); ++id) {
    StageOpPtr op = FinishStageOp(OpOfTensor(task->dag.tensor(id), id));
    data->stages.push_back(std::make_shared<Stage>(FreshStage(std::move(op))));
  }
  data->order = task->dag.topological_order();
  data->task = std::move(task);
  return ScheduleState(std::move(data));
}

std::vector<int> ScheduleState::Consumers(int id) const {
  std::vector<int> consumers;
  for (int other : order()) {
    const Stage& reader = stage(other);
    if (reader.location == Location::kInlined) continue;
    for (const ReadAccess& read : reader.effective->reads) {
      if (read.stage != id) continue;
      consumers.push_back(other);
      break;
    }
  }
  return consumers;
}

bool ScheduleState::is_output(int id) const {
  const int tensor = stage(id).op->tensor;
  return tensor >= 0 && task().dag.is_output(tensor);
}

StageNames ScheduleState::Names() const {
  StageNames names;
  for (const StagePtr& stage : stages()) names.push_back(stage->op->name);
  return names;
}

int ScheduleState::Find(std::string_view name) const {
  for (int id = 0; id < size(); ++id) {
    if (stage(id).op->name == name) return id;
  }
  return -1;
}

Trace ScheduleState::trace() const {
  Trace trace;
  trace.reserve(trace_size());
  std::vector<const TraceNode*> nodes;
  for (const TraceNode* node = data_->last.get(); node; node = node->previous.get()) {
    nodes.push_back(node);
  }
  for (size_t i = nodes.size(); i-- > 0;) {
    trace.insert(trace.end(), nodes[i]->steps.begin(), nodes[i]->steps.end());
  }
  return trace;
}

int ScheduleState::trace_size() const {
  return data_->last ? data_->last->index + static_cast<int>(data_->last->steps.size()) : 0;
}

const Primitive& ScheduleState::step(int index) const {
  const TraceNode* node = data_->last.get();
  while (node && node->index > index) node = node->previous.get();
  const bool known = node && index >= 0 && index < trace_size();
  SG_CHECK(known, "the trace has no step " + std::to_string(index));
  return node->steps[index - node->index];
}

std::string ScheduleState::TraceText() const {
  return data_->trace_text.Get([&] { return TraceToText(trace(), Names()); });
}

Result<void> Check(const ScheduleState& state, const Primitive& primitive) {
  return std::visit([&](const auto& p) { return CheckPrimitive(state, p); }, primitive);
}

Result<ScheduleState> Apply(const ScheduleState& state, const Primitive& primitive) {
  if (auto legal = Check(state, primitive); !legal) return legal.error();
  return Applied(StateEditor(state), primitive);
}

Result<ScheduleState> Apply(ScheduleState&& state, const Primitive& primitive) {
  if (auto legal = Check(state, primitive); !legal) return legal.error();
  return Applied(StateEditor(std::move(state)), primitive);
}

Result<ScheduleState> Replay(std::shared_ptr<const Task> task, const Trace& trace) {
  ScheduleState state = ScheduleState::Initial(std::move(task));
  for (size_t i = 0; i < trace.size(); ++i) {
    auto next = Apply(std::move(state), trace[i]);
    if (!next) {
      return Error{next.error().kind, "line " + std::to_string(i + 2) + ": " +
                                          std::string(NameOf(trace[i])) + ": " +
                                          next.error().message};
    }
    state = *std::move(next);
  }
  return state;
}

std::string TraceToText(const Trace& trace, const StageNames& names) {
  std::string text = std::string(kHeader) + "\n";
  for (const Primitive& primitive : trace) text += ToText(primitive, names) + "\n";
  return text;
}

Result<ScheduleState> ReplayText(std::shared_ptr<const Task> task, std::string_view text) {
  const std::vector<std::string> lines = SplitLines(WithoutByteOrderMark(text));
  const std::vector<Line> useful = UsefulLines(lines);
  if (useful.empty() || useful[0].text != kHeader) {
    return Error{ErrorKind::kParse, "line 1: expected '" + std::string(kHeader) + "'"};
  }
  if (useful.size() > kMostPrimitives + 1) {
    return Error{ErrorKind::kParse, "line " + std::to_string(useful[kMostPrimitives + 1].number) +
                                        ": found more than " + std::to_string(kMostPrimitives) +
                                        " primitives, expected at most so many"};
  }
  ScheduleState state = ScheduleState::Initial(std::move(task));
  for (size_t i = 1; i < useful.size(); ++i) {
    auto primitive = ParsePrimitive(useful[i].text, state.Names());
    if (!primitive) return AtLine(useful[i].number, primitive.error());
    auto next = Apply(std::move(state), *primitive);
    if (!next) {
      return AtLine(useful[i].number, {next.error().kind, std::string(NameOf(*primitive)) + ": " +
                                                              next.error().message});
    }
    state = *std::move(next);
  }
  return state;
}

}  // namespace schedulegym
