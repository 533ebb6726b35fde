// Rows of programs for networks: Ansor's features (with the estimate's), or tokens of the trace;
// rows of accesses before those of statements (pacm), or of loops among them (recursive); beside
// them numbers of the task. Labels are throughputs of the whole task over the task's best, as
// TenSet's are within a part of it; or speeds over the reference (Tiramisu's labels, there over the
// unoptimised schedule), their logarithms, or FLOP/s standardised over all (One-Shot Tuner's).
// Traces longer than `length` keep their last tokens, or the first. Cost: about 50 us a schedule
// for features, 1 us for tokens.
#include "agents/learned/scorer/program_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "agents/learned/scorer/stage_prefixes.h"
#include "agents/parallel.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/features/curve_row.h"
#include "env/features/dataflow_rows.h"
#include "env/features/program_tree.h"
#include "env/features/task_numbers.h"
#include "env/measure/store/ansor_programs.h"
#include "env/program/analysis.h"
#include "env/program/language/parser.h"
#include "env/program/targets/target.h"
#include "env/program/workloads/program_split.h"

namespace schedulegym {
namespace {

constexpr int kDefinitions = 4;

// For Tiramisu's accesses: the store and the first reads, with the strides of the innermost loops.
constexpr size_t kAccesses = 8, kAccessLoops = 7;

int StatementColumns(const ScorerOptions& options) {
  return options.inputs == ProgramInputs::kAnsor ? AnsorLayout::kWidth : EstimatedLayout::kWidth;
}

int ColumnsOf(const ScorerOptions& options) {
  switch (options.network) {
    case ScorerNetwork::kMlp: return StatementColumns(options);
    case ScorerNetwork::kTlp: return kTokenKinds + options.fields;
    case ScorerNetwork::kPacm: return StatementColumns(options) + DataflowLayout::kWidth;
    case ScorerNetwork::kRecursive:
      return StatementColumns(options) + TreeLoopLayout::kWidth +
             (options.sees_accesses ? static_cast<int>(kAccesses * kAccessLoops) : 0);
    case ScorerNetwork::kStages: return StatementColumns(options);
    case ScorerNetwork::kOneshot: return CurveLayout::kWidth;
  }
  return 1;
}

int TaskColumnsOf(const ScorerOptions& options) {
  switch (options.task) {
    case TaskInputs::kNone: return 0;
    case TaskInputs::kWords: return WordPlaces::kWidth;
    case TaskInputs::kNumbers: return TaskNumbersLayout::Size(kDefinitions);
  }
  return 0;
}

std::vector<float> TaskValues(const Task& task, const ScorerOptions& options) {
  if (options.task == TaskInputs::kNone) return {};
  if (options.task == TaskInputs::kWords) return WordNumbers(task.dag);
  std::vector<float> values = TargetNumbers(task.target);
  std::ranges::copy(DagNumbers(task.dag, kDefinitions), std::back_inserter(values));
  return values;
}

// Tokens of `count` primitives, each given by its position.
template <typename PrimitiveAt>
std::vector<float> TokensOf(int count, const PrimitiveAt& primitive_at,
                            const ScorerOptions& options) {
  const auto columns = static_cast<size_t>(ColumnsOf(options));
  const int kept = std::min(count, options.length);
  const int first = options.keeps_last ? count - kept : 0;
  std::vector<float> values(columns * static_cast<size_t>(kept));
  for (int i = 0; i < kept; ++i) {
    WriteToken(primitive_at(first + i), options.scale,
               std::span(values).subspan(columns * static_cast<size_t>(i), columns));
  }
  return values;
}

// Writes rows of `columns` numbers; each row's `own` numbers start at `place`.
void WriteRows(std::span<const float> rows, size_t own, size_t place, size_t columns,
               std::span<float> to) {
  for (size_t row = 0; row * own < rows.size(); ++row) {
    std::ranges::copy(rows.subspan(row * own, own), to.subspan(row * columns + place).begin());
  }
}

// Returns the rows of accesses, then those of statements.
std::vector<float> WithDataflow(const StateFeatures& state, std::span<const float> statements,
                                const ScorerOptions& options) {
  const std::vector<float> accesses = DataflowRows(state.state(), FindLoopNests(state.state()));
  const auto own = static_cast<size_t>(StatementColumns(options));
  const size_t columns = own + DataflowLayout::kWidth;
  const auto first = static_cast<size_t>(DataflowLayout::kAccesses);
  std::vector<float> values(columns * (first + statements.size() / own));
  WriteRows(accesses, DataflowLayout::kWidth, own, columns, values);
  WriteRows(statements, own, 0, columns, std::span(values).subspan(first * columns));
  return values;
}

// Writes log2(1 + stride) of each access by loop, from the innermost one out; 0 without a loop.
void WriteAccesses(const LoopNest& nest, std::span<float> to) {
  for (size_t i = 0; i < std::min(kAccesses, nest.accesses.size()); ++i) {
    const std::vector<int64_t>& strides = nest.accesses[i].strides;
    for (size_t j = 0; j < std::min(kAccessLoops, strides.size()); ++j) {
      const auto stride = static_cast<double>(std::abs(strides[strides.size() - 1 - j]));
      to[i * kAccessLoops + j] = static_cast<float>(std::log2(1 + stride));
    }
  }
}

ProgramValues AsTree(const StateFeatures& state, std::span<const float> statements,
                     const ScorerOptions& options) {
  const LoopNests nests = FindLoopNests(state.state());
  const std::vector<ProgramNode> nodes = TreeOf(nests);
  const auto own = static_cast<size_t>(StatementColumns(options));
  const auto columns = static_cast<size_t>(ColumnsOf(options));
  ProgramValues program;
  program.values.resize(nodes.size() * columns);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto row = std::span(program.values).subspan(i * columns, columns);
    program.parents.push_back(nodes[i].parent);
    if (nodes[i].statement < 0) {
      std::ranges::copy(nodes[i].loop, row.last(TreeLoopLayout::kWidth).begin());
    } else {
      const auto statement = static_cast<size_t>(nodes[i].statement);
      std::ranges::copy(statements.subspan(statement * own, own), row.begin());
      if (options.sees_accesses) WriteAccesses(nests.nests[statement], row.subspan(own));
    }
  }
  return program;
}

// Returns the head of a target.
int HeadOf(const std::string& name, const ScorerOptions& options, bool may_add_head,
           ProgramRows* rows) {
  const std::string target = options.head_per_target ? name : "";
  const auto known = std::ranges::find(rows->targets, target);
  if (known != rows->targets.end()) return static_cast<int>(known - rows->targets.begin());
  if (!may_add_head) {
    throw InputError("the model has no head for target " + target +
                     ", expected one of: " + Join(rows->targets, "; "));
  }
  rows->targets.push_back(target);
  return static_cast<int>(rows->targets.size()) - 1;
}

// Returns the name of the space in a program's spec.
std::string SpaceName(const std::string& space) {
  const Result<Spec> spec = ParseSpec(space);
  return spec ? spec->name : space;
}

}  // namespace

std::span<const float> ProgramRows::RowsOf(int program) const {
  const auto width = static_cast<size_t>(columns);
  return std::span(values).subspan(static_cast<size_t>(begin[program]) * width,
                                   static_cast<size_t>(rows_of(program)) * width);
}

std::span<const float> ProgramRows::TaskRow(int task) const {
  const auto width = static_cast<size_t>(task_columns);
  return std::span(task_values).subspan(static_cast<size_t>(task) * width, width);
}

ProgramRows EmptyRows(const ScorerOptions& options) {
  ProgramRows rows;
  rows.columns = ColumnsOf(options);
  rows.task_columns = TaskColumnsOf(options);
  return rows;
}

int AddTask(const Task& task, const ScorerOptions& options, bool may_add_head, ProgramRows* rows) {
  if (task.target.IsGpu() && !options.head_per_target) {
    throw InputError(std::string("found target '") + task.target.BackendName() +
                     "', expected that of a processor, or heads=target: one head for all targets "
                     "is of processors");
  }
  rows->heads.push_back(HeadOf(task.target.ToText(), options, may_add_head, rows));
  const std::vector<float> values = TaskValues(task, options);
  rows->task_values.insert(rows->task_values.end(), values.begin(), values.end());
  return static_cast<int>(rows->heads.size()) - 1;
}

int AddForeignTask(const std::string& target, const ScorerOptions& options, bool may_add_head,
                   ProgramRows* rows) {
  if (options.network != ScorerNetwork::kTlp || options.task != TaskInputs::kNone) {
    throw InputError(
        "found programs of Ansor's log, whose computations are not known; expected the model "
        "tlp(task=none), which sees their steps alone, or a file of records pack LOG "
        "--computation HASH=WORKLOAD");
  }
  rows->heads.push_back(HeadOf(target, options, may_add_head, rows));
  return static_cast<int>(rows->heads.size()) - 1;
}

ProgramValues DescribeTrace(const Trace& trace, const ScorerOptions& options) {
  const auto at = [&](int i) -> const Primitive& { return trace[static_cast<size_t>(i)]; };
  return {TokensOf(static_cast<int>(trace.size()), at, options)};
}

ProgramValues DescribeState(const StateFeatures& state, const ScorerOptions& options) {
  if (options.network == ScorerNetwork::kTlp) {
    const auto at = [&](int i) -> const Primitive& { return state.state().step(i); };
    return {TokensOf(state.state().trace_size(), at, options)};
  }
  if (options.network == ScorerNetwork::kOneshot) {
    return {CurveRow(state.state(), FindLoopNests(state.state()))};
  }
  const std::vector<float>& statements =
      options.inputs == ProgramInputs::kAnsor ? state.ansor() : state.estimated();
  switch (options.network) {
    case ScorerNetwork::kPacm: return {WithDataflow(state, statements, options)};
    case ScorerNetwork::kRecursive: return AsTree(state, statements, options);
    default: return {statements};
  }
}

void AddProgram(const ProgramValues& program, int task, float label, ProgramRows* rows) {
  SG_CHECK(program.values.size() % static_cast<size_t>(rows->columns) == 0, "whole rows");
  rows->values.insert(rows->values.end(), program.values.begin(), program.values.end());
  rows->parents.insert(rows->parents.end(), program.parents.begin(), program.parents.end());
  rows->begin.push_back(std::ssize(rows->values) / rows->columns);
  rows->tasks.push_back(task);
  rows->labels.push_back(label);
}

double ProgramRows::SpeedOf(ProgramLabel kind, float label) const {
  if (kind == ProgramLabel::kLogarithm) return std::exp(static_cast<double>(label));
  return kind == ProgramLabel::kAbsolute ? label_mean + label_deviation * label : label;
}

float ReferenceLabel(double speed, ProgramLabel label) {
  const double floored = std::max(speed, kLeastSpeed);
  return static_cast<float>(label == ProgramLabel::kLogarithm ? std::log(floored) : floored);
}

namespace {

constexpr float kLeftOut = std::numeric_limits<float>::quiet_NaN();

std::vector<float> ReferenceLabels(const ProgramSet& programs, ProgramLabel label) {
  const float failed = label == ProgramLabel::kReference ? 0 : kLeftOut;
  std::vector<float> labels;
  bool has_reference = false;
  for (const MeasuredProgram& program : programs.programs) {
    has_reference |= program.ratio != RatioInterval{};
    const bool is_ok = program.outcome == Outcome::kOk;
    labels.push_back(is_ok ? ReferenceLabel(program.ratio.median, label) : failed);
  }
  if (has_reference || labels.empty()) return labels;
  throw InputError("found programs without a time of their task's reference, expected label=task");
}

std::vector<float> AbsoluteLabels(const ProgramSet& programs) {
  std::vector<double> work;  // GFLOP by task
  for (const ProgramTask& task : programs.tasks) {
    if (IsForeign(task.info)) {
      throw InputError(
          "found programs of Ansor's log, whose work is not known, expected label=task");
    }
    work.push_back(CountFlops(TaskOf(task.info)->dag) * 1e-9);
  }
  std::vector<float> labels;
  for (const MeasuredProgram& program : programs.programs) {
    const double speed = work[static_cast<size_t>(program.task)] / program.seconds;
    labels.push_back(program.outcome == Outcome::kOk ? static_cast<float>(speed) : kLeftOut);
  }
  return labels;
}

void Standardise(ProgramRows* rows) {
  const auto count = static_cast<double>(rows->labels.size());
  double sum = 0, squares = 0;
  for (const float label : rows->labels) sum += label;
  for (const float label : rows->labels) squares += std::pow(label - sum / count, 2);
  if (squares == 0) return;
  rows->label_mean = sum / count;
  rows->label_deviation = std::sqrt(squares / count);
  for (float& label : rows->labels) {
    label = static_cast<float>((label - rows->label_mean) / rows->label_deviation);
  }
}

}  // namespace

std::vector<float> LabelsOf(const ProgramSet& programs, ProgramLabel label) {
  if (label == ProgramLabel::kAbsolute) return AbsoluteLabels(programs);
  if (label != ProgramLabel::kTask) return ReferenceLabels(programs, label);
  std::vector<double> best(programs.tasks.size(), 0);  // 0: none yet
  for (const MeasuredProgram& program : programs.programs) {
    if (program.outcome != Outcome::kOk) continue;
    double& least = best[static_cast<size_t>(program.task)];
    if (least == 0 || program.seconds < least) least = program.seconds;
  }
  std::vector<float> labels;
  for (const MeasuredProgram& program : programs.programs) {
    const bool is_ok = program.outcome == Outcome::kOk;
    labels.push_back(
        is_ok ? static_cast<float>(best[static_cast<size_t>(program.task)] / program.seconds) : 0);
  }
  return labels;
}

std::shared_ptr<const Task> TaskOf(const TaskInfo& info) {
  Result<ComputeDag> dag = ParseDag(info.dag, info.workload);
  if (!dag) throw InputError(dag.error().message);
  const Spec target = RequireSpec("target", info.target);
  return std::make_shared<const Task>(Task{*std::move(dag), MakeTarget(target), info.workload});
}

ProgramDescription::ProgramDescription(ProgramSet programs, const ScorerOptions& options,
                                       int threads, const SpaceReader& spaces)
    : programs_(std::move(programs)),
      options_(options),
      threads_(threads),
      labels_(LabelsOf(programs_, options.label)),
      rows_(EmptyRows(options)) {
  for (const ProgramTask& task : programs_.tasks) {
    tasks_.push_back(IsForeign(task.info) ? nullptr : TaskOf(task.info));
    if (IsForeign(task.info)) {
      AddForeignTask(task.info.target, options, /*may_add_head=*/true, &rows_);
      continue;
    }
    AddTask(*tasks_.back(), options_, /*may_add_head=*/true, &rows_);
  }
  if (options.network != ScorerNetwork::kStages) return;
  stages_ = std::make_unique<StagePrograms>(options_, spaces);
  for (const MeasuredProgram& program : programs_.programs) {
    stages_->Open(program.task, tasks_[static_cast<size_t>(program.task)], program.space);
  }
}

ProgramDescription::~ProgramDescription() = default;

ProgramRows ProgramDescription::Take() {
  if (stages_) stages_->Label(&rows_);
  if (options_.label == ProgramLabel::kAbsolute) Standardise(&rows_);
  return std::move(rows_);
}

ProgramRows ProgramDescription::Rows() {
  stages_->Label(&rows_);
  ProgramRows rows = rows_;
  if (options_.label == ProgramLabel::kAbsolute) Standardise(&rows);
  return rows;
}

void ProgramDescription::AddStages(int task, const std::string& space, const ScheduleState& state,
                                   float label) {
  const auto number = static_cast<uint64_t>(total() + added_++);
  stages_->Add(task, stages_->Describe(task, space, state, number), label, &rows_);
}

// Returns nullopt for a trace that cannot be read or replayed.
std::optional<ProgramValues> ProgramDescription::Described(const MeasuredProgram& program) const {
  const auto& task = tasks_[static_cast<size_t>(program.task)];
  if (task == nullptr) {
    const Result<Trace> trace = ParseNumberedTrace(program.trace);
    return trace ? std::optional(DescribeTrace(*trace, options_)) : std::nullopt;
  }
  const auto state = ReplayText(task, program.trace);
  if (!state) return std::nullopt;
  return DescribeState(StateFeatures(*state), options_);
}

void ProgramDescription::Describe(int64_t count, const StopToken& stop) {
  const auto some = std::span(programs_.programs)
                        .subspan(static_cast<size_t>(done_),
                                 static_cast<size_t>(std::min(count, total() - done_)));
  if (stages_) return DescribeStages(some, stop);
  std::vector<std::optional<ProgramValues>> described(some.size());
  ParallelFor(
      static_cast<int>(some.size()), threads_,
      [&](int i) { described[static_cast<size_t>(i)] = Described(some[static_cast<size_t>(i)]); },
      stop);
  for (size_t i = 0; i < described.size(); ++i, ++done_) {
    const float label = labels_[static_cast<size_t>(done_)];
    if (described[i] && !std::isnan(label)) AddProgram(*described[i], some[i].task, label, &rows_);
  }
}

void ProgramDescription::DescribeStages(std::span<const MeasuredProgram> some,
                                        const StopToken& stop) {
  std::vector<DescribedPrefixes> described(some.size());
  ParallelFor(
      static_cast<int>(some.size()), threads_,
      [&](int i) {
        const MeasuredProgram& program = some[static_cast<size_t>(i)];
        const auto state = ReplayText(tasks_[static_cast<size_t>(program.task)], program.trace);
        if (!state) return;
        described[static_cast<size_t>(i)] = stages_->Describe(program.task, program.space, *state,
                                                              static_cast<uint64_t>(done_ + i));
      },
      stop);
  for (size_t i = 0; i < described.size(); ++i, ++done_) {
    const float label = labels_[static_cast<size_t>(done_)];
    if (!std::isnan(label)) stages_->Add(some[i].task, described[i], label, &rows_);
  }
}

ProgramRows DescribePrograms(const ProgramSet& programs, const ScorerOptions& options, int threads,
                             const StopToken& stop, const SpaceReader& spaces) {
  ProgramDescription description(programs, options, threads, spaces);
  description.Describe(description.total(), stop);
  return description.Take();
}

ProgramSet PartOf(const ProgramSet& programs, const std::string& part, const std::string& space) {
  ProgramSet some;
  std::map<int, int> positions;
  std::set<std::string> parts;
  std::vector<TrainedTask> trained;
  for (const MeasuredProgram& program : programs.programs) {
    const ProgramTask& task = programs.tasks[static_cast<size_t>(program.task)];
    const std::string own = task.split.empty() ? "other" : task.split;
    parts.insert(own);
    if (part != "all" && part != own && !IsForeign(task.info)) continue;
    if (!space.empty() && SpaceName(program.space) != space) continue;
    const auto [position, is_new] =
        positions.emplace(program.task, static_cast<int>(some.tasks.size()));
    if (is_new) some.tasks.push_back(task);
    if (is_new) trained.push_back({task.info.workload, task.info.dag});
    some.programs.push_back(program);
    some.programs.back().task = position->second;
  }
  if (some.programs.empty()) {
    throw InputError("--split " + part + ": found no program of it" +
                     (space.empty() ? "" : " in space '" + space + "'") +
                     ", expected all or one of: " +
                     Join(std::vector<std::string>(parts.begin(), parts.end()), ", "));
  }
  const std::optional<std::string> leak = FindLeak(trained);
  if (leak)
    throw InputError("the data have " + *leak + ", expected no task that is kept for tests");
  return some;
}

}  // namespace schedulegym
