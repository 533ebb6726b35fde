// What one task needs to check candidates, in shared memory: sets of inputs (sealed; the first lies
// against guard pages), outputs, a page for results. The candidate maps the inputs read-only.
// Address space of a candidate is limited to the protocol's memory plus twice the bytes of inputs
// and outputs.
#include "backends/runner/worker/checked_task.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "backends/runner/measured_task.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/ipc/worker_process.h"
#include "env/measure/verification/verify.h"
#include "env/schedule/state.h"

namespace schedulegym {
namespace {

// The last processor that this process may use, for kernels of one thread.
std::optional<int32_t> LastProcessor() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 2) return std::nullopt;
  for (int32_t processor = CPU_SETSIZE - 1; processor >= 0; --processor) {
    if (CPU_ISSET(processor, &set)) return processor;
  }
  return std::nullopt;
}

int64_t SumOf(const std::vector<int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), int64_t{0});
}

}  // namespace

CheckedTask::CheckedTask(const PrepareRequest& request, double most_naive_flops)
    : task_(MakeTask(request.task)), limits_(request.limits) {
  const Result<Spec> protocol = ParseSpec(request.protocol);
  if (!protocol) throw InputError(protocol.error().message);
  protocol_ = MakeProtocol(*protocol);
  const std::shared_ptr<const Task> judge = JudgingTask(task_);
  const std::unique_ptr<Backend> backend = MakeBackend(judge->target);
  const ReferenceFunction reference = ReferenceOf(request);
  const ReferenceBackend means = {*backend, reference, most_naive_flops};
  reference_outputs_ = std::make_unique<ReferenceOutputs>(judge, means, request.seed);
  if (!request.verify_only) reference_outputs_->ExpectTimed(means);
  for (int input : task_->dag.inputs()) names_.inputs.push_back(task_->dag.tensor(input).name);
  for (int output : task_->dag.outputs()) names_.outputs.push_back(task_->dag.tensor(output).name);

  setup_.target = request.task.target;
  setup_.protocol = request.protocol;
  setup_.input_bytes = reference_outputs_->InputBytes();
  setup_.output_bytes = reference_outputs_->OutputBytes();
  setup_.reference = request.reference;
  setup_.threads = task_->target.cores;
  if (setup_.threads == 1) setup_.processor = LastProcessor();
  setup_.address_bytes =
      limits_.memory_bytes + 2 * (SumOf(setup_.input_bytes) + SumOf(setup_.output_bytes));
  setup_.cpu_seconds = static_cast<int64_t>(std::ceil(limits_.processor_seconds));
  // The first set ends at guard pages to the byte; timed tensors are aligned, as users' tensors
  // are.
  for (size_t set = 0; set <= sets(); ++set) {
    setup_.placements.push_back(static_cast<int32_t>(
        set == 0 && sets() > 0 ? Placement::kAgainstGuard : Placement::kAligned));
  }
  input_layout_ = TensorLayout(setup_.input_bytes);
  output_layout_ = TensorLayout(setup_.output_bytes);
  for (size_t set = 0; set <= sets(); ++set) inputs_.push_back(MakeInputs(set));
  outputs_ = SharedMemory(output_layout_.bytes());
  result_ = SharedMemory(kResultPageBytes);
  stderr_ = Descriptor(memfd_create("stderr", MFD_CLOEXEC));
  fcntl(stderr_.number(), F_SETFL, O_APPEND);
}

Placement CheckedTask::PlacementOf(size_t set) const {
  return static_cast<Placement>(setup_.placements.at(set));
}

SharedMemory CheckedTask::MakeInputs(size_t set) const {
  SharedMemory memory(input_layout_.bytes());
  std::vector<void*> tensors;
  for (size_t i = 0; i < input_layout_.size(); ++i) {
    tensors.push_back(input_layout_.At(memory.data(), i, PlacementOf(set)));
  }
  if (set < sets()) reference_outputs_->Fill(set, tensors);
  if (set == timing_set()) reference_outputs_->FillForTiming(tensors);
  input_layout_.FillBorders(memory.data(), PlacementOf(set));
  memory.SealContents();
  return memory;
}

std::vector<int> CheckedTask::Files() const {
  std::vector<int> files = {stderr_.number(), result_.descriptor(), outputs_.descriptor()};
  for (const SharedMemory& set : inputs_) files.push_back(set.descriptor());
  return files;
}

std::vector<void*> CheckedTask::Outputs(size_t set) const {
  std::vector<void*> tensors;
  for (size_t i = 0; i < output_layout_.size(); ++i) {
    tensors.push_back(output_layout_.At(outputs_.data(), i, PlacementOf(set)));
  }
  return tensors;
}

void CheckedTask::ArmOutputs(size_t set) {
  output_layout_.FillBorders(outputs_.data(), PlacementOf(set));
  const std::vector<void*> tensors = Outputs(set);
  for (size_t i = 0; i < tensors.size(); ++i) Poison(reference_outputs_->Output(i), tensors[i]);
}

std::optional<Failure> CheckedTask::CheckBorders(size_t set) const {
  const auto broken = output_layout_.BrokenBorder(outputs_.data(), PlacementOf(set));
  if (!broken) return std::nullopt;
  return Failure{Outcome::kOobWrite, "wrote beside output " + names_.outputs[*broken]};
}

std::optional<Failure> CheckedTask::CheckOutputs(size_t set) const {
  if (auto beside = CheckBorders(set)) return beside;
  auto difference = reference_outputs_->Compare(set, Outputs(set));
  if (difference) return Failure{Outcome::kWrongOutput, *std::move(difference)};
  return std::nullopt;
}

uint64_t CheckedTask::HashOutputs(size_t set) const {
  uint64_t hash = 0;
  const std::vector<void*> tensors = Outputs(set);
  for (size_t i = 0; i < tensors.size(); ++i) {
    hash = hash * 31 + HashMemory(tensors[i], setup_.output_bytes[i]);
  }
  return hash;
}

ResultPage CheckedTask::ReadResult() const {
  ResultPage page;
  std::memcpy(&page, result_.data(), sizeof page);
  return page;
}

void CheckedTask::ClearResult() { std::memset(result_.data(), 0, kResultPageBytes); }

std::string CheckedTask::TakeStderr() {
  std::string tail = FileTail(stderr_.number());
  if (!tail.empty() && ftruncate(stderr_.number(), 0) != 0) tail.clear();
  return tail;
}

}  // namespace schedulegym
