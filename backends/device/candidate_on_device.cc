// A candidate is loaded, given the task's tensors in memory of the device, and obeys its line: call
// on a set (tensors are copied to the device, the kernels run, outputs are copied back), or be
// timed, interleaved with the reference. Copies lie outside of times. A call's time is read from
// the device's clock: of the host, or of the device's events (protocol gpu1), whose calls find
// cold caches.
#include "backends/device/candidate_on_device.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>
#include <utility>

#include "backends/runner/sandbox/candidate_line.h"
#include "backends/runner/sandbox/result_page.h"

namespace schedulegym {
namespace {

// A device that empties its caches before each call takes one call for a sample.
TimingOptions OptionsOf(const ComputeDevice& device, TimingOptions options) {
  if (device.calls_are_cold()) options.between_samples = [] {};
  return options;
}

std::vector<schedulegym::WarmUp> WarmUpOnDevice(ComputeDevice& device,
                                                std::span<const std::function<void()>> calls,
                                                const Protocol& protocol) {
  const SteadyClock host;
  const Clock& clock = device.calls_are_cold() ? host : device.clock();
  device.SetTiming(true);
  std::vector<schedulegym::WarmUp> warm =
      WarmUpEach(calls, protocol, {clock, clock}, OptionsOf(device, {}));
  device.SetTiming(false);
  return warm;
}

class CandidateOnDevice {
 public:
  CandidateOnDevice(DeviceTask& task, int line, int stamps)
      : task_(task),
        line_(line),
        stamps_(stamps),
        page_(*reinterpret_cast<ResultPage*>(task.memory.result.data())) {}

  int Serve(const ObjectCode& code) {
    page_ = {};
    if (!Adopt(code)) return status_;
    CandidateCommand command;
    while (!IsFatal(status_) && read(line_, &command, sizeof command) == sizeof command) {
      order_ = command.number;
      switch (command.order) {
        case CandidateOrder::kCall: Call(command.set); break;
        case CandidateOrder::kWarmUp: Answer(WarmUp(command)); break;
        case CandidateOrder::kTime: Answer(Time(command)); break;
        case CandidateOrder::kQuit: return status_;
      }
    }
    return status_;
  }

 private:
  bool Adopt(const ObjectCode& code) {
    if (!task_.reference) {
      auto reference = task_.device->Load(task_.setup.reference.object, task_.tensors);
      if (!reference) return Refuse(reference.error());
      task_.reference = *std::move(reference);
    }
    auto candidate = task_.device->Load(code.object, task_.tensors);
    if (!candidate) return Refuse(candidate.error());
    candidate_ = *std::move(candidate);
    if (task_.device->compiles_in_first_call()) {
      if (auto ran = candidate_->Call(); !ran) return Refuse(ran.error());
    }
    return Answer(0, "");
  }

  // A fault that the device does not explain counts as a lack of memory.
  bool Refuse(const Error& error) {
    int status = StatusOf(*task_.device, error);
    if (status == EIO && error.kind == ErrorKind::kRun) status = ENOMEM;
    Answer(status, error.message, /*link_failed=*/true);
    return false;
  }

  bool Answer(int status, const std::string& message, bool link_failed = false) {
    status_ = status;
    CandidateAnswer answer = MakeAnswer(order_, status, message);
    answer.link_failed = link_failed;
    return SendAnswer(line_, answer);
  }

  void Answer(const Result<void>& done) {
    if (done) {
      Answer(0, "");
      return;
    }
    Answer(StatusOf(*task_.device, done.error()), done.error().message);
  }

  // Inputs, and outputs as they are poisoned, on the device.
  Result<void> Upload(size_t set) {
    for (size_t i = 0; i < task_.tensors.size(); ++i) {
      if (auto done = task_.tensors[i]->Write(task_.At(set, i)); !done) return done;
    }
    return {};
  }

  Result<void> Download(size_t set) {
    for (size_t i = task_.inputs(); i < task_.tensors.size(); ++i) {
      if (auto done = task_.tensors[i]->Read(task_.At(set, i)); !done) return done;
    }
    return {};
  }

  Result<void> FillBorders() {
    for (auto& tensor : task_.tensors) {
      if (auto done = tensor->FillBorders(); !done) return done;
    }
    return {};
  }

  // The tensor beside which something was written, such as "output 0"; "" for none.
  Result<std::string> WrittenBeside() const {
    for (size_t i = 0; i < task_.tensors.size(); ++i) {
      const Result<bool> intact = task_.tensors[i]->BordersIntact();
      if (!intact) return intact.error();
      if (*intact) continue;
      const size_t inputs = task_.inputs();
      return i < inputs ? "input " + std::to_string(i) : "output " + std::to_string(i - inputs);
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

  // Once one has failed none is called any more.
  std::function<void()> CallOf(LoadedProgram& program) {
    return [this, &program] {
      if (failed_) return;
      if (auto ran = program.Call(); !ran) failed_ = ran.error();
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

  Result<void> WarmUp(const CandidateCommand& command) {
    if (auto done = Upload(task_.memory.inputs.size() - 1); !done) return done;
    warm_ = WarmUpOnDevice(*task_.device, BothCalls(), ProtocolOf(command));
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
    options.read_counters = [this] { return Counters{0, task_.device->cycles()}; };
    std::optional<double> best;
    if (command.has_best_ratio != 0) best = command.best_ratio;
    Rng rng(command.seed);
    WriteResult(TimeOnDevice(*task_.device, BothCalls(), ProtocolOf(command), best, rng,
                             std::move(options)));
    if (failed_) return *failed_;
    return Download(set);
  }

  void WriteResult(const PairedTiming& timing) {
    for (size_t i = 0; i < 2; ++i) {
      page_.series[i] = PageOf(timing.series[i]);
      // A device that counts no cycles has counted none at all.
      if (!(page_.series[i].cycles > 0)) page_.series[i].has_counters = 0;
    }
    page_.early_reject = timing.early_reject;
  }

  DeviceTask& task_;
  int line_, stamps_;
  ResultPage& page_;
  uint64_t order_ = 0;
  int status_ = 0;  // of the last answer
  std::unique_ptr<LoadedProgram> candidate_;
  std::vector<schedulegym::WarmUp> warm_;
  std::optional<Error> failed_;
};

}  // namespace

void* DeviceTask::At(size_t set, size_t i) const {
  const auto placement = static_cast<Placement>(setup.placements.at(set));
  if (i < inputs()) return memory.input_layout.At(memory.inputs.at(set).data(), i, placement);
  return memory.output_layout.At(memory.outputs.data(), i - inputs(), placement);
}

// The processor's time does not include the device's work, so both clocks are the wall clock.
PairedTiming TimeOnDevice(ComputeDevice& device, std::span<const std::function<void()>> calls,
                          const Protocol& protocol, std::optional<double> best_ratio, Rng& rng,
                          TimingOptions options) {
  if (options.warm.empty()) options.warm = WarmUpOnDevice(device, calls, protocol);
  device.SetTiming(true);
  PairedTiming timing =
      TimeInterleaved(calls, protocol, best_ratio, {device.clock(), device.clock()}, rng,
                      OptionsOf(device, std::move(options)));
  device.SetTiming(false);
  return timing;
}

int StatusOf(const ComputeDevice& device, const Error& error) {
  switch (device.fault()) {
    case DeviceFault::kNoMemory: return ENOMEM;
    case DeviceFault::kBroken: return ENOTRECOVERABLE;
    case DeviceFault::kLost: return ENODEV;
    case DeviceFault::kRefused: return EINVAL;
    case DeviceFault::kOther: break;
  }
  return error.kind == ErrorKind::kCompile ? EINVAL : EIO;
}

bool IsFatal(int status) { return status == ENOTRECOVERABLE || status == ENODEV; }

int ServeCandidate(DeviceTask& task, const ObjectCode& code, int line, int stamps) {
  task.device->ForgetFault();
  return CandidateOnDevice(task, line, stamps).Serve(code);
}

}  // namespace schedulegym
