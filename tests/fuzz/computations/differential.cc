#include "tests/fuzz/computations/differential.h"

#include <algorithm>
#include <cstring>

#include "backends/interpreter/interpreter.h"
#include "env/base/check.h"
#include "env/lower/code_size.h"
#include "env/lower/lower.h"
#include "env/lower/statements.h"
#include "env/lower/validate.h"
#include "env/measure/verification/error_dag.h"
#include "env/measure/verification/inputs.h"
#include "env/measure/verification/verify.h"

namespace schedulegym {
namespace {

bool IsOnIntegers(const ComputeDag& dag) {
  return std::none_of(dag.tensors().begin(), dag.tensors().end(),
                      [](const Tensor& tensor) { return IsFloating(tensor.type); });
}

bool AreOutputsExact(const ComputeDag& dag) {
  return PlanExact(dag).outputs.size() == dag.outputs().size();
}

int64_t BytesOf(const Tensor& tensor) { return tensor.NumElements() * SizeInBytes(tensor.type); }

// Cells as doubles; none of an empty buffer.
std::vector<double> Doubles(const AlignedBuffer& buffer) {
  const auto values = buffer.As<double>();
  return {values.begin(), values.end()};
}

// Number of statements in a statement, itself included.
int64_t SizeOf(const Statement& statement) {
  const auto size = [](const auto& node) -> int64_t {
    using Node = std::decay_t<decltype(node)>;
    if constexpr (std::is_same_v<Node, For>) {
      return SizeOf(*node.body) * (node.kind == LoopKind::kUnrolled ? node.extent : 1);
    } else if constexpr (std::is_same_v<Node, If>) {
      return SizeOf(*node.then_body) + (node.else_body ? SizeOf(*node.else_body) : 0);
    } else if constexpr (std::is_same_v<Node, Block>) {
      int64_t sum = 0;
      for (const StatementPtr& part : node.statements) sum += SizeOf(*part);
      return sum;
    } else if constexpr (std::is_same_v<Node, Store> || std::is_same_v<Node, Barrier>) {
      return 1;
    } else {
      return SizeOf(*node.body);
    }
  };
  return std::visit(size, statement.node);
}

// Number of executed statements, if no condition failed.
double StepsOf(const Statement& statement) {
  double sum = std::holds_alternative<Store>(statement.node) ? 1 : 0;
  for (const StatementPtr& part : PartsOf(statement)) sum += StepsOf(*part);
  const auto* loop = std::get_if<For>(&statement.node);
  return loop ? sum * static_cast<double>(loop->extent) : sum;
}

// For processors the lowering refuses only programs that are too large.
DifferentialTrial NotLowered(const Error& error, const Target& target) {
  const bool is_large = error.message.find("too large a program") != std::string::npos;
  return {target.IsGpu() && !is_large ? TrialVerdict::kRefused : TrialVerdict::kTooLarge,
          "lower: " + error.message};
}

// Legal steps may make threads share memory that they must not; they never leave a buffer.
DifferentialTrial NotValid(const Error& error, const Target& target) {
  const bool leaves = error.message.find("cannot prove") != std::string::npos;
  return {target.IsGpu() && !leaves ? TrialVerdict::kUnsafe : TrialVerdict::kUnproved,
          "validate: " + error.message};
}

}  // namespace

bool IsExact(const ComputeDag& dag) { return IsOnIntegers(dag) || AreOutputsExact(dag); }

bool IsTooLarge(const LoopProgram& program, const Target& target) {
  constexpr int64_t kMostCopies = 4000;
  constexpr double kMostOperations = 20'000;
  int64_t size = SizeOf(*program.body);
  for (const WeightPack& pack : program.packs) size += SizeOf(*pack.program->body);
  return size > kMostCopies || CodeSize(program, target) > kMostOperations;
}

Differential::Differential(std::shared_ptr<const Task> task, uint64_t seed)
    : task_(std::move(task)) {
  const ComputeDag& dag = task_->dag;
  ExactPlan plan = PlanExact(dag);
  is_exact_ = IsExact(dag);
  // Integers wrap alike in every order.
  if (IsOnIntegers(dag)) plan.range = std::max<int64_t>(plan.range, 3);
  Rng rng(seed);
  for (int id : dag.inputs()) {
    const Tensor& tensor = dag.tensor(id);
    inputs_.emplace_back(BytesOf(tensor));
    FillInput(tensor, is_exact_ ? InputPattern::kIntegers : InputPattern::kReals, plan, rng,
              inputs_.back().data());
  }
  if (is_exact_) {
    expected_ = RunNaively(dag);
  } else {
    ComputeBounded();
  }
}

Differential::Buffers Differential::RunNaively(const ComputeDag& dag) const {
  Target target = task_->target;
  target.backend = BackendKind::kInterpreter;
  const auto task = std::make_shared<const Task>(Task{dag, target, task_->name});
  const LoopProgram program = Lower(ScheduleState::Initial(task)).value();
  const auto kernel = MakeInterpreter(target)->Compile(program, {}).value();
  Buffers outputs;
  std::vector<void*> pointers;
  for (const AlignedBuffer& input : inputs_) pointers.push_back(input.data());
  for (int id : dag.outputs()) {
    outputs.emplace_back(BytesOf(dag.tensor(id)));
    pointers.push_back(outputs.back().data());
  }
  const auto run = kernel->Run(pointers);
  SG_CHECK(run.ok(), run.error().message);
  return outputs;
}

void Differential::ComputeBounded() {
  const ErrorDag error = MakeErrorDag(task_->dag).value();
  expected_ = RunNaively(error.dag);
  for (const std::optional<int>& bound : error.bounds) {
    bounds_.push_back(bound ? Doubles(expected_[*bound]) : std::vector<double>());
  }
}

Result<Differential::Buffers> Differential::Arguments(const LoopProgram& program,
                                                      const Kernel& kernel) const {
  Buffers arguments;
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    arguments.emplace_back(program.parameters[i].bytes);
    void* memory = arguments.back().data();
    if (program.parameters[i].is_output) {
      Poison(task_->dag.tensor(task_->dag.outputs()[i - inputs_.size()]), memory);
    } else if (!program.parameters[i].is_packed) {
      std::memcpy(memory, inputs_[i].data(), static_cast<size_t>(inputs_[i].bytes()));
    }
  }
  for (size_t i = 0; i < program.packs.size(); ++i) {
    const int parameter = program.packs[i].parameter;
    const auto packed =
        kernel.Pack(static_cast<int>(i), inputs_[parameter].data(), arguments[parameter].data());
    if (!packed) return packed.error();
  }
  return arguments;
}

std::string Differential::Compare(const Buffers& arguments) const {
  const ComputeDag& dag = task_->dag;
  for (const AlignedBuffer& argument : arguments) {
    if (!argument.BordersIntact()) return "wrote beyond an argument";
  }
  for (size_t i = 0; i < dag.outputs().size(); ++i) {
    const Tensor& tensor = dag.tensor(dag.outputs()[i]);
    const void* found = arguments[inputs_.size() + i].data();
    const auto difference = is_exact_ || !IsFloating(tensor.type)
                                ? CompareExact(tensor, found, expected_[i].data())
                                : CompareBounded(tensor, found, Doubles(expected_[i]), bounds_[i]);
    if (difference) return *difference;
  }
  return "";
}

DifferentialTrial Differential::Run(const ScheduleState& state, const Backend& backend) const {
  const auto program = Lower(state);
  if (!program) return NotLowered(program.error(), task_->target);
  if (IsTooLarge(*program, task_->target)) return {TrialVerdict::kTooLarge, "unrolls too far"};
  // Stages may be computed many times over; the interpreter takes minutes for more steps.
  constexpr double kMostSteps = 2e7;
  if (StepsOf(*program->body) > kMostSteps) return {TrialVerdict::kTooLarge, "runs too long"};
  if (const auto valid = Validate(*program); !valid) {
    return NotValid(valid.error(), task_->target);
  }
  const auto kernel = backend.Compile(*program, {});
  if (!kernel) {
    // Legal steps may need more threads or shared memory than a device has.
    const bool is_beyond = task_->target.IsGpu() && kernel.error().kind == ErrorKind::kUnsupported;
    return {is_beyond ? TrialVerdict::kRefused : TrialVerdict::kWrong,
            "compile: " + kernel.error().message};
  }
  const auto arguments = Arguments(*program, **kernel);
  if (!arguments) return {TrialVerdict::kWrong, "pack: " + arguments.error().message};
  std::vector<void*> pointers;
  for (const AlignedBuffer& argument : *arguments) pointers.push_back(argument.data());
  if (const auto run = (*kernel)->Run(pointers); !run) {
    return {TrialVerdict::kWrong, "run: " + run.error().message};
  }
  const std::string difference = Compare(*arguments);
  if (difference.empty()) return {};
  return {TrialVerdict::kWrong, "compare: " + difference};
}

}  // namespace schedulegym
