// Drivers are asked in `schedulegym-device list` and `list-cuda`, which print a target a line; a
// line "error: ..." is thrown. What a user's spec gives replaces the device's facts. Cost: a
// process, and the driver's start.
#include "backends/runner/device_target.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/worker_process.h"
#include "env/program/targets/gpu_choice.h"

namespace schedulegym {
namespace {

std::string Quoted(const std::string& path) {
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string ReadAll(int descriptor) {
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
}

bool Gives(const Spec& spec, const std::string& key) {
  for (const SpecOption& option : spec.options) {
    if (option.key == key) return true;
  }
  return false;
}

// The spec, with the device's facts for keys that it lacks.
Spec Completed(const Spec& spec, const Target& device) {
  Spec facts = ParseSpec(device.ToText()).value();
  Spec completed{spec.name, {}};
  for (const SpecOption& option : spec.options) {
    if (option.key != "device") completed.options.push_back(option);
  }
  for (SpecOption& fact : facts.options) {
    if (!Gives(spec, fact.key)) completed.options.push_back(std::move(fact));
  }
  return completed;
}

std::string DeviceWord(const Spec& spec) {
  for (const SpecOption& option : spec.options) {
    if (option.key != "device") continue;
    SpecReader reader({spec.name, {option}}, "target");
    return reader.Word("device", "");
  }
  return "";
}

// The lines that `schedulegym-device` prints. Its complaint is thrown.
std::vector<std::string> AskedOfDrivers(const std::string& words) {
  const std::string program = FindProgramBeside("schedulegym-device", "SCHEDULEGYM_DEVICE");
  WorkerProcess process(ShellCommand{Quoted(program) + " " + words + " 2>&1"});
  const StandardPipes pipes = process.TakePipes();
  std::vector<std::string> lines;
  for (std::string& line : SplitLines(ReadAll(pipes.from.number()))) {
    constexpr std::string_view kError = "error: ";
    if (line.starts_with(kError)) throw MachineError(line.substr(kError.size()));
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

Target ParseTarget(const std::string& line, const std::string& backend) {
  const Result<Spec> spec = ParseSpec(line);
  if (!spec || spec->name != backend) throw MachineError(line);
  return MakeTarget(*spec);
}

std::vector<std::string> NamesOf(const std::vector<Target>& devices) {
  std::vector<std::string> names;
  for (const Target& device : devices) names.push_back("'" + device.gpu.name + "'");
  return names;
}

Target WithCudaFacts(const Spec& spec) {
  const bool names_device = Gives(spec, "device");
  if (!names_device && (Gives(spec, "card") || Gives(spec, "arch"))) return MakeTarget(spec);
  std::vector<Target> devices;
  try {
    devices = FindCudaDevices().targets;
  } catch (const MachineError&) {
    if (names_device) throw;
    return MakeTarget(spec);  // throws an error that asks for a card
  }
  const std::string part = DeviceWord(spec);
  std::vector<Target> named;
  for (const Target& device : devices) {
    if (device.gpu.name.find(part) != std::string::npos) named.push_back(device);
  }
  if (named.size() == 1) return MakeTarget(Completed(spec, named.front()));
  throw InputError("device: found '" + part + "', of which there are " +
                   std::to_string(named.size()) + ", expected a part of one of " +
                   Join(NamesOf(devices), ", ") + ", or CUDA_VISIBLE_DEVICES=NUMBER");
}

}  // namespace

std::vector<Target> OpenClTargets() {
  std::vector<Target> targets;
  for (const std::string& line : AskedOfDrivers("list")) {
    targets.push_back(ParseTarget(line, "opencl"));
  }
  if (targets.empty()) throw MachineError("no OpenCL device: schedulegym-device list printed none");
  return targets;
}

CudaDevices FindCudaDevices() {
  CudaDevices devices;
  constexpr std::string_view kDriver = "driver ";
  for (const std::string& line : AskedOfDrivers("list-cuda")) {
    if (line.starts_with(kDriver)) {
      devices.driver = line.substr(kDriver.size());
    } else {
      devices.targets.push_back(ParseTarget(line, "cuda"));
    }
  }
  if (devices.targets.empty()) {
    throw MachineError("no CUDA device: schedulegym-device list-cuda printed none");
  }
  return devices;
}

void CheckCudaDevice(const CudaDevices& devices, const Target& target, const std::string& nvrtc) {
  std::vector<GpuFacts> facts;
  for (const Target& device : devices.targets) facts.push_back(device.gpu);
  ChooseGpu(facts, target.gpu);
  // Of one major release every driver loads the machine code of every compiler (CUDA Compatibility,
  // "Minor version compatibility").
  if (std::atoi(devices.driver.c_str()) >= std::atoi(nvrtc.c_str())) return;
  throw MachineError("the driver is for CUDA " + devices.driver + ", older than NVRTC " + nvrtc +
                     ": expected a newer driver, or in SCHEDULEGYM_NVRTC the library of a release "
                     "that it runs (./sg setup cuda12 installs NVRTC 12.9)");
}

Target WithDeviceFacts(const Spec& spec) {
  if (spec.name == "cuda") return WithCudaFacts(spec);
  Target target = MakeTarget(spec);
  if (target.backend != BackendKind::kOpenCl || Gives(spec, "arch")) return target;
  std::vector<Target> devices;
  try {
    devices = OpenClTargets();
  } catch (const MachineError&) {
    return target;
  }
  const std::string part = DeviceWord(spec);
  for (const Target& device : devices) {
    if (device.gpu.name.find(part) != std::string::npos) return MakeTarget(Completed(spec, device));
  }
  throw InputError("device: found '" + part + "', expected a part of " +
                   Join(NamesOf(devices), " or "));
}

}  // namespace schedulegym
