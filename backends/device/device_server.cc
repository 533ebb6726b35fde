// A candidate is built, given the task's tensors in memory of the device, and obeys its line:
// call on a set (tensors are copied to the device, the kernels run, outputs are copied back), or
// be timed, interleaved with the reference. What a call is timed for is the launch of its kernels
// and the wait for their end; copies lie outside.
#include "backends/device/device_server.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/device/opencl_device.h"
#include "backends/runner/sandbox/candidate_line.h"
#include "backends/runner/sandbox/result_page.h"
#include "backends/runner/sandbox/task_memory.h"
#include "backends/runner/sandbox/zygote.h"
#include "env/base/check.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/measure/timing/clocks.h"
#include "env/measure/timing/paired_timer.h"

namespace schedulegym {
namespace {

// A task's tensors, on both sides.
struct DeviceTask {
  TaskSetup setup;
  TaskMemory memory;
  std::unique_ptr<OpenClDevice> device;
  std::vector<DeviceBuffer> inputs, outputs;
  std::unique_ptr<BoundDeviceProgram> reference;

  DeviceTask(TaskSetup asked, std::vector<Descriptor> files)
      : setup(std::move(asked)), memory(setup, std::move(files)) {}

  void* Input(size_t set, size_t i) const {
    return memory.input_layout.At(memory.inputs.at(set).data(), i, PlacementOf(set));
  }
  void* Output(size_t set, size_t i) const {
    return memory.output_layout.At(memory.outputs.data(), i, PlacementOf(set));
  }
  Placement PlacementOf(size_t set) const {
    return static_cast<Placement>(setup.placements.at(set));
  }
};

// Programs whose parameters are the task's tensors: inputs first, then outputs.
std::vector<ClMemory> ParametersOf(const DeviceTask& task) {
  std::vector<ClMemory> parameters;
  for (const DeviceBuffer& buffer : task.inputs) parameters.push_back(buffer.memory());
  for (const DeviceBuffer& buffer : task.outputs) parameters.push_back(buffer.memory());
  return parameters;
}

Result<std::unique_ptr<BoundDeviceProgram>> BuildFor(const DeviceTask& task,
                                                     const ObjectCode& code) {
  const Result<DeviceProgram> program = Decode<DeviceProgram>(code.object);
  if (!program) return program.error();
  auto bound = BoundDeviceProgram::Make(*task.device, *program);
  if (!bound) return bound;
  if (auto done = (*bound)->Bind(ParametersOf(task)); !done) return done.error();
  return bound;
}

// One candidate, from its first word to its last.
class CandidateOnDevice {
 public:
  CandidateOnDevice(DeviceTask& task, int line, int stamps)
      : task_(task),
        line_(line),
        stamps_(stamps),
        page_(*reinterpret_cast<ResultPage*>(task.memory.result.data())) {}

  void Serve(const ObjectCode& code) {
    page_ = {};
    if (!Adopt(code)) return;
    CandidateCommand command;
    while (read(line_, &command, sizeof command) == sizeof command) {
      order_ = command.number;
      switch (command.order) {
        case CandidateOrder::kCall: Call(command.set); break;
        case CandidateOrder::kWarmUp: Answer(WarmUp(command)); break;
        case CandidateOrder::kTime: Answer(Time(command)); break;
        case CandidateOrder::kQuit: return;
      }
    }
  }

 private:
  bool Adopt(const ObjectCode& code) {
    if (!task_.reference) {
      auto reference = BuildFor(task_, task_.setup.reference);
      if (!reference) return Refuse(reference.error());
      task_.reference = *std::move(reference);
    }
    auto candidate = BuildFor(task_, code);
    if (!candidate) return Refuse(candidate.error());
    candidate_ = *std::move(candidate);
    // Drivers finish their compiling in the first call.
    if (auto ran = candidate_->Call(); !ran) return Refuse(ran.error());
    return Answer(0, "");
  }

  bool Refuse(const Error& error) const {
    const bool no_memory = error.kind == ErrorKind::kRun;
    Answer(no_memory ? ENOMEM : EINVAL, error.message, /*link_failed=*/true);
    return false;
  }

  bool Answer(int status, const std::string& message, bool link_failed = false) const {
    CandidateAnswer answer = MakeAnswer(order_, status, message);
    answer.link_failed = link_failed;
    return SendAnswer(line_, answer);
  }

  void Answer(const Result<void>& done) const {
    if (done) {
      Answer(0, "");
      return;
    }
    Answer(EIO, done.error().message);
  }

  // Inputs, and outputs as they are poisoned, on the device.
  Result<void> Upload(size_t set) {
    for (size_t i = 0; i < task_.inputs.size(); ++i) {
      if (auto done = task_.inputs[i].Write(task_.Input(set, i)); !done) return done;
    }
    for (size_t i = 0; i < task_.outputs.size(); ++i) {
      if (auto done = task_.outputs[i].Write(task_.Output(set, i)); !done) return done;
    }
    return {};
  }

  Result<void> Download(size_t set) {
    for (size_t i = 0; i < task_.outputs.size(); ++i) {
      if (auto done = task_.outputs[i].Read(task_.Output(set, i)); !done) return done;
    }
    return {};
  }

  Result<void> FillBorders() {
    for (auto* buffers : {&task_.inputs, &task_.outputs}) {
      for (DeviceBuffer& buffer : *buffers) {
        if (auto done = buffer.FillBorders(); !done) return done;
      }
    }
    return {};
  }

  // The tensor beside which something was written, such as "output 0"; "" of none.
  Result<std::string> WrittenBeside() const {
    for (const auto* buffers : {&task_.inputs, &task_.outputs}) {
      for (size_t i = 0; i < buffers->size(); ++i) {
        const Result<bool> intact = (*buffers)[i].BordersIntact();
        if (!intact) return intact.error();
        if (*intact) continue;
        return (buffers == &task_.inputs ? "input " : "output ") + std::to_string(i);
      }
    }
    return std::string();
  }

  void Call(uint32_t set) {
    if (Result<void> ran = CallBetweenBorders(set); !ran) {
      Answer(ran);
      return;
    }
    const Result<std::string> beside = WrittenBeside();
    if (!beside) {
      Answer(beside.error());
    } else if (!beside->empty()) {
      Answer(EFAULT, "wrote beside " + *beside);
    } else {
      Answer(0, "");
    }
  }

  Result<void> CallBetweenBorders(uint32_t set) {
    if (set >= task_.memory.inputs.size()) return Error{ErrorKind::kRun, "no such set of inputs"};
    if (auto done = FillBorders(); !done) return done;
    if (auto done = Upload(set); !done) return done;
    if (auto done = candidate_->Call(); !done) return done;
    return Download(set);
  }

  std::array<std::function<void()>, 2> BothCalls() {
    return {CallOf(*task_.reference), CallOf(*candidate_)};
  }

  std::function<void()> CallOf(const BoundDeviceProgram& program) {
    return [this, &program] {
      if (auto ran = program.Call(); !ran && !failed_) failed_ = ran.error();
    };
  }

  Protocol ProtocolOf(const CandidateCommand& command) const {
    Protocol protocol = MakeProtocol(*ParseSpec(task_.setup.protocol));
    return command.finalist != 0 ? FinalProtocol(protocol) : protocol;
  }

  Result<void> Finished() const {
    if (failed_) return *failed_;
    return {};
  }

  // The processor's time says nothing of a device's work: both clocks are the wall's.
  Result<void> WarmUp(const CandidateCommand& command) {
    if (auto done = Upload(task_.memory.inputs.size() - 1); !done) return done;
    warm_ = WarmUpEach(BothCalls(), ProtocolOf(command), {clock_, clock_});
    return Finished();
  }

  Result<void> Time(const CandidateCommand& command) {
    const size_t set = task_.memory.inputs.size() - 1;
    if (auto done = Upload(set); !done) return done;
    TimingOptions options;
    options.warm = std::exchange(warm_, {});
    options.around_sample = [this](size_t series, bool begins) {
      SendStamp(stamps_, series, begins);
    };
    std::optional<double> best;
    if (command.has_best_ratio != 0) best = command.best_ratio;
    Rng rng(command.seed);
    const PairedTiming timing =
        TimeInterleaved(BothCalls(), ProtocolOf(command), best, {clock_, clock_}, rng, options);
    for (size_t i = 0; i < 2; ++i) page_.series[i] = PageOf(timing.series[i]);
    page_.early_reject = timing.early_reject;
    if (failed_) return *failed_;
    return Download(set);
  }

  DeviceTask& task_;
  int line_, stamps_;
  ResultPage& page_;
  uint64_t order_ = 0;
  SteadyClock clock_;
  std::unique_ptr<BoundDeviceProgram> candidate_;
  std::vector<schedulegym::WarmUp> warm_;
  std::optional<Error> failed_;
};

class DeviceServer {
 public:
  explicit DeviceServer(Descriptor socket) : channel_(std::move(socket)) {}

  void Serve() {
    while (std::optional<Frame> frame = channel_.Receive()) {
      switch (static_cast<ZygoteMessage>(frame->type)) {
        case ZygoteMessage::kSetup:
          if (!SetUp(*frame)) return;
          break;
        case ZygoteMessage::kRun:
          if (!Run(*frame)) return;
          break;
        case ZygoteMessage::kDismiss: break;  // the line has said so already
        default: return;
      }
    }
  }

 private:
  bool SetUp(const Frame& frame) {
    Result<TaskSetup> setup = Decode<TaskSetup>(frame.payload);
    if (!setup) return false;
    const size_t count = setup->placements.size() + 3;
    std::vector<Descriptor> files = channel_.TakeDescriptors(count);
    if (files.size() != count) return false;
    dup2(files[0].number(), STDERR_FILENO);
    files.erase(files.begin());
    const Result<Spec> target = ParseSpec(setup->target);
    if (!target) return false;
    std::unique_ptr<OpenClDevice> device = TakeDevice(MakeTarget(*target).gpu.name);
    task_ = std::make_unique<DeviceTask>(*std::move(setup), std::move(files));
    task_->device = std::move(device);
    failure_ = MakeBuffers();
    return true;
  }

  // Opening one costs tenths of a second: the last task's is kept.
  std::unique_ptr<OpenClDevice> TakeDevice(const std::string& name) {
    std::unique_ptr<OpenClDevice> device;
    if (task_) {
      task_->reference.reset();
      task_->inputs.clear();
      task_->outputs.clear();
      device = std::move(task_->device);
    }
    if (device && device->description().name == name) return device;
    return std::make_unique<OpenClDevice>(name == "generic" ? "" : name);
  }

  std::optional<Error> MakeBuffers() {
    const auto add = [&](const std::vector<int64_t>& sizes,
                         std::vector<DeviceBuffer>& buffers) -> std::optional<Error> {
      for (const int64_t bytes : sizes) {
        Result<DeviceBuffer> buffer = DeviceBuffer::Make(*task_->device, bytes);
        if (!buffer) return buffer.error();
        buffers.push_back(*std::move(buffer));
      }
      return std::nullopt;
    };
    if (auto failure = add(task_->setup.input_bytes, task_->inputs)) return failure;
    return add(task_->setup.output_bytes, task_->outputs);
  }

  bool Run(const Frame& frame) {
    const std::vector<Descriptor> sockets = channel_.TakeDescriptors(2);
    if (sockets.size() != 2 || !task_) return false;
    const Result<ObjectCode> code = Decode<ObjectCode>(frame.payload);
    if (!code) return false;
    const auto id = frame.id;
    if (!channel_.Send({static_cast<uint16_t>(ZygoteMessage::kStarted), id, ""})) return false;
    const int line = sockets[0].number();
    if (failure_) {
      SendAnswer(line, MakeAnswer(0, ENOMEM, failure_->message));
    } else {
      CandidateOnDevice(*task_, line, sockets[1].number()).Serve(*code);
    }
    return channel_.Send(
        {static_cast<uint16_t>(ZygoteMessage::kEnded), id, Encode(CandidateEnd())});
  }

  FrameChannel channel_;
  std::unique_ptr<DeviceTask> task_;
  std::optional<Error> failure_;  // of the task's tensors
};

}  // namespace

void RunDeviceServer(Descriptor socket) { DeviceServer(std::move(socket)).Serve(); }

}  // namespace schedulegym
