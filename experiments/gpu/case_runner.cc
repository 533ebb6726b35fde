// Each case loads its kernels, and checks or times them. Check: both gates of a search, small
// integers bit for bit and reals within their bounds, against the interpreter (Verifier), with
// borders beside each tensor. Bench: on small integers the same bits as the reference schedule,
// then the protocol gpu1 beside it; best likewise. Equal, planted: so many timings of two kernels
// by gpu1.
#include "experiments/gpu/case_runner.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <utility>

#include "backends/device/candidate_on_device.h"
#include "backends/interpreter/interpreter.h"
#include "backends/runner/verification/verifier.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/measure/gpu_protocol.h"
#include "env/program/targets/gpu_choice.h"
#include "experiments/gpu/gpu_peers.h"

namespace schedulegym {
namespace {

constexpr double kGiga = 1e9;

Json RowOf(const char* outcome, const std::string& message) {
  return Json::Object({{"outcome", outcome}, {"message", message}});
}

// Kernels with tensors of their own.
class DeviceKernels : public Kernel {
 public:
  static Result<std::unique_ptr<DeviceKernels>> Make(CudaDevice& device, const ObjectCode& code) {
    auto kernels = std::make_unique<DeviceKernels>(device, code.contract);
    for (const KernelParameter& parameter : code.contract.parameters) {
      auto tensor = device.Allocate(parameter.bytes);
      if (!tensor) return tensor.error();
      kernels->tensors_.push_back(*std::move(tensor));
    }
    auto program = device.Load(code.object, kernels->tensors_);
    if (!program) return program.error();
    kernels->program_ = *std::move(program);
    return kernels;
  }
  DeviceKernels(CudaDevice& device, KernelContract contract)
      : device_(device), contract_(std::move(contract)) {}

  LoadedProgram& program() const { return *program_; }
  const KernelContract& contract() const { return contract_; }

  Result<void> Run(std::span<void* const> arguments) const override {
    for (size_t i = 0; i < tensors_.size(); ++i) {
      if (auto done = tensors_[i]->FillBorders(); !done) return done;
      if (auto done = tensors_[i]->Write(arguments[i]); !done) return done;
    }
    if (auto done = program_->Call(); !done) return done;
    for (size_t i = 0; i < tensors_.size(); ++i) {
      const Result<bool> intact = tensors_[i]->BordersIntact();
      if (!intact) return intact.error();
      if (!*intact) {
        return Error{ErrorKind::kRun, "wrote beside parameter " + std::to_string(i)};
      }
      if (!contract_.parameters[i].is_output) continue;
      if (auto done = tensors_[i]->Read(arguments[i]); !done) return done;
    }
    return {};
  }
  Result<void> Pack(int, const void*, void*) const override {
    return Error{ErrorKind::kUnsupported, "no packed weights"};
  }

 private:
  CudaDevice& device_;
  KernelContract contract_;
  std::vector<std::unique_ptr<DeviceTensor>> tensors_;
  std::unique_ptr<LoadedProgram> program_;
};

// As the verifier loads kernels.
class DeviceBackend : public Backend {
 public:
  DeviceBackend(CudaDevice& device, const ObjectCode& code) : device_(device), code_(code) {}
  const Target& target() const override { return target_; }
  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram&,
                                          const CompileOptions&) const override {
    return Error{ErrorKind::kUnsupported, "kernels were made before"};
  }
  Result<std::string> Translate(const LoopProgram&, CodeForm,
                                const CompileOptions&) const override {
    return Error{ErrorKind::kUnsupported, "kernels were made before"};
  }
  Result<std::unique_ptr<Kernel>> Load(const std::string&, int) const override {
    auto kernels = DeviceKernels::Make(device_, code_);
    if (!kernels) return kernels.error();
    return std::unique_ptr<Kernel>(*std::move(kernels));
  }

 private:
  CudaDevice& device_;
  const ObjectCode& code_;
  Target target_;
};

Json FailureOf(const CudaDevice& device, const std::string& message,
               const char* otherwise = "wrong_output") {
  switch (device.fault()) {
    case DeviceFault::kNoMemory: return RowOf("out_of_memory", message);
    case DeviceFault::kRefused: return RowOf("link_error", message);
    case DeviceFault::kBroken: return RowOf("run_signal", message);
    case DeviceFault::kLost: return RowOf("device_lost", message);
    case DeviceFault::kOther: break;
  }
  return RowOf(otherwise, message);
}

Json Check(CudaDevice& device, const GpuCase& one, const CaseCode& code) {
  const auto task = MakeTask(TaskText{one.dag, "interpreter", one.name});
  const auto interpreter = MakeInterpreter(task->target);
  const ReferenceFunction reference = [](const std::shared_ptr<const Task>&) -> ScheduleState {
    throw std::logic_error("the naive program alone is asked for");
  };
  Verifier verifier(task, {*interpreter, reference, kAlwaysNaive},
                    static_cast<uint64_t>(one.number));
  const DeviceBackend backend(device, code.code);
  auto kernel = PreparedKernel::Load(backend, code.code, verifier.arguments());
  if (!kernel) return FailureOf(device, kernel.error().message, "link_error");
  std::optional<Failure> failure = verifier.Before(*kernel);
  if (!failure) failure = verifier.After(*kernel);
  if (!failure) return Json::Object({{"outcome", "ok"}});
  return FailureOf(device, failure->message, OutcomeName(failure->outcome));
}

// Small integers, whose products and sums f32 represents exactly.
std::vector<std::vector<float>> SmallNumbers(const KernelContract& contract) {
  Rng rng(5);
  std::vector<std::vector<float>> tensors;
  for (const KernelParameter& parameter : contract.parameters) {
    std::vector<float> cells(static_cast<size_t>(parameter.bytes / 4));
    for (float& cell : cells) cell = static_cast<float>(rng.Below(5)) - 2;
    tensors.push_back(std::move(cells));
  }
  return tensors;
}

Result<std::vector<std::vector<float>>> OutputsOf(const DeviceKernels& kernels) {
  std::vector<std::vector<float>> tensors = SmallNumbers(kernels.contract());
  std::vector<void*> arguments;
  for (std::vector<float>& tensor : tensors) arguments.push_back(tensor.data());
  if (auto done = kernels.Run(arguments); !done) return done.error();
  return tensors;
}

// By gpu1, for a tenth of a second at most. The first is the reference.
Result<PairedTiming> TimeBoth(CudaDevice& device, const DeviceKernels& reference,
                              const DeviceKernels& kernels, uint64_t seed) {
  Protocol protocol = GpuProtocol();
  protocol.max_seconds = 0.1;
  std::optional<Error> failed;
  const auto call_of = [&](const DeviceKernels& of) -> std::function<void()> {
    return [&] {
      if (failed) return;
      if (auto done = of.program().Call(); !done) failed = done.error();
    };
  };
  const std::array<std::function<void()>, 2> calls = {call_of(reference), call_of(kernels)};
  Rng rng(seed);
  PairedTiming timing = TimeOnDevice(device, calls, protocol, std::nullopt, rng);
  if (failed) return *failed;
  return timing;
}

Json Bench(CudaDevice& device, const GpuCase& one, const CaseCode& code) {
  auto reference = DeviceKernels::Make(device, code.reference);
  if (!reference) return FailureOf(device, reference.error().message);
  auto kernels = DeviceKernels::Make(device, code.code);
  if (!kernels) return FailureOf(device, kernels.error().message, "link_error");
  const auto expected = OutputsOf(**reference), found = OutputsOf(**kernels);
  if (!expected) return FailureOf(device, expected.error().message);
  if (!found) return FailureOf(device, found.error().message);
  if (*expected != *found) {
    return RowOf("wrong_output", "other integers than the reference schedule's");
  }
  const auto timing = TimeBoth(device, **reference, **kernels, static_cast<uint64_t>(one.number));
  if (!timing) return FailureOf(device, timing.error().message);
  const TimedSeries& series = timing->series[1];
  return Json::Object({{"outcome", "ok"},
                       {"seconds", series.median_seconds},
                       {"gflops", one.flops / series.median_seconds / kGiga},
                       {"ratio", series.ratio.median},
                       {"low", series.ratio.low},
                       {"high", series.ratio.high},
                       {"samples", static_cast<int64_t>(series.samples.size())},
                       {"estimate", code.estimate}});
}

// How often the interval says that two kernels differ, and how often the first one is faster.
Json TellApart(CudaDevice& device, const CaseCode& code) {
  constexpr int kTimes = 200;  // 99.5 % are asked for
  auto reference = DeviceKernels::Make(device, code.reference);
  if (!reference) return FailureOf(device, reference.error().message);
  auto kernels = DeviceKernels::Make(device, code.code);
  if (!kernels) return FailureOf(device, kernels.error().message);
  int different = 0, ordered = 0;
  for (int i = 0; i < kTimes; ++i) {
    const auto timing = TimeBoth(device, **reference, **kernels, static_cast<uint64_t>(i));
    if (!timing) return FailureOf(device, timing.error().message);
    const RatioInterval& ratio = timing->series[1].ratio;
    different += ratio.low > 1 || ratio.high < 1 ? 1 : 0;
    ordered += ratio.median < 1 ? 1 : 0;
  }
  return Json::Object({{"outcome", "ok"},
                       {"times", kTimes},
                       {"called_different", different},
                       {"reference_faster", ordered}});
}

// Runs once on zeros, for a tool that observes it.
Json RunOnce(CudaDevice& device, const CaseCode& code) {
  auto kernels = DeviceKernels::Make(device, code.code);
  if (!kernels) return FailureOf(device, kernels.error().message);
  std::vector<std::vector<char>> memory;
  std::vector<void*> arguments;
  for (const KernelParameter& parameter : code.code.contract.parameters) {
    memory.emplace_back(static_cast<size_t>(parameter.bytes));
    arguments.push_back(memory.back().data());
  }
  const auto ran = (*kernels)->Run(arguments);
  if (!ran) return FailureOf(device, ran.error().message);
  return RowOf("ok", "");
}

Json Peer(CudaDevice& device, const GpuCase& one, const std::vector<std::string>& peers) {
  if (std::ranges::find(peers, one.peer) == peers.end()) return RowOf("not run", "not asked for");
  const std::vector<int64_t>& of = one.sizes;
  const auto seconds = one.peer == "cublas"
                           ? TimeCublas(device, of.at(0), of.at(1), of.at(2))
                           : TimeCudnn(device, {of.at(0), of.at(1), of.at(2), of.at(3), of.at(4),
                                                of.at(5), of.at(6), of.at(7)});
  if (!seconds) return FailureOf(device, seconds.error().message);
  return Json::Object(
      {{"outcome", "ok"}, {"seconds", *seconds}, {"gflops", one.flops / *seconds / kGiga}});
}

const CaseCode* CodeFor(const GpuCase& one, const std::string& architecture) {
  const CaseCode* found = nullptr;
  for (const CaseCode& code : one.codes) {
    if (!RunsCodeOf(architecture, code.architecture)) continue;
    if (found == nullptr || code.architecture > found->architecture) found = &code;
  }
  return found;
}

std::string ArchitecturesOf(const GpuCase& one) {
  std::string text;
  for (const CaseCode& code : one.codes) text += (text.empty() ? "" : ", ") + code.architecture;
  return text;
}

// The first device on its own, as a bundle has code for several architectures.
std::unique_ptr<CudaDevice> OpenDevice() {
  const std::vector<Target> devices = ListCudaDevices(*CudaDriver::Open());
  if (devices.size() == 1) return std::make_unique<CudaDevice>(devices.front().gpu);
  std::string names;
  for (const Target& device : devices) {
    names += (names.empty() ? "'" : ", '") + device.gpu.name + "'";
  }
  throw InputError("found several devices and none chosen: " + names +
                   "; expected CUDA_VISIBLE_DEVICES=NUMBER");
}

}  // namespace

CaseRunner::CaseRunner(CaseOptions options)
    : device_(OpenDevice()), options_(std::move(options)), lease_(DeviceLeasePath()) {}

CaseRunner::~CaseRunner() = default;

Json CaseRunner::Facts() const {
  const GpuFacts& facts = device_->facts();
  return Json::Object({{"group", "device"},
                       {"name", facts.name},
                       {"architecture", facts.arch},
                       {"units", facts.units},
                       {"driver", CudaVersionText(device_->driver().version)},
                       {"library", device_->driver().path}});
}

Json CaseRunner::Run(const GpuCase& one) {
  const MeasuringTurn turn(lease_);
  device_->ForgetFault();
  const std::string driver = CudaVersionText(device_->driver().version);
  if (std::atoi(driver.c_str()) < std::atoi(one.release.c_str())) {
    return RowOf("not run",
                 "the driver is for CUDA " + driver + ", older than the compiler's " + one.release);
  }
  try {
    if (one.group == "peer") return Peer(*device_, one, options_.peers);
    const CaseCode* code = CodeFor(one, device_->facts().arch);
    if (code == nullptr) {
      return RowOf("not run", "no machine code for " + device_->facts().arch + ", only for " +
                                  ArchitecturesOf(one));
    }
    if (one.group == "check") return Check(*device_, one, *code);
    if (one.group == kFaultyGroup) return RunOnce(*device_, *code);
    if (one.group == "bench" || one.group == "best") return Bench(*device_, one, *code);
    return TellApart(*device_, *code);
  } catch (const std::exception& missing) {
    return RowOf("not run", missing.what());
  }
}

bool CaseRunner::is_broken() const {
  return device_->fault() == DeviceFault::kBroken || device_->fault() == DeviceFault::kLost;
}

}  // namespace schedulegym
