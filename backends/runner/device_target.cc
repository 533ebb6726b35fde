#include "backends/runner/device_target.h"

#include <unistd.h>

#include <cerrno>
#include <optional>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/worker_process.h"

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

// The spec with the device's facts wherever it gives none of its own.
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
  SpecReader reader(spec, "target");
  return reader.Word("device", "");
}

}  // namespace

std::vector<Target> OpenClTargets() {
  const std::string program = FindProgramBeside("schedulegym-device", "SCHEDULEGYM_DEVICE");
  WorkerProcess process(ShellCommand{Quoted(program) + " list 2>&1"});
  const StandardPipes pipes = process.TakePipes();
  const std::string text = ReadAll(pipes.from.number());
  std::vector<Target> targets;
  for (const std::string& line : SplitLines(text)) {
    if (line.empty()) continue;
    const Result<Spec> spec = ParseSpec(line);
    constexpr std::string_view kError = "error: ";
    if (!spec || spec->name != "opencl") {
      throw MachineError(line.starts_with(kError) ? line.substr(kError.size()) : line);
    }
    targets.push_back(MakeTarget(*spec));
  }
  if (targets.empty()) throw MachineError("no OpenCL device: " + program + " list printed none");
  return targets;
}

Target WithDeviceFacts(const Spec& spec) {
  Target target = MakeTarget(spec);
  if (target.backend != BackendKind::kOpenCl || Gives(spec, "arch")) return target;
  std::vector<Target> devices;
  try {
    devices = OpenClTargets();
  } catch (const MachineError&) {
    return target;
  }
  const std::string part = DeviceWord(spec);
  std::vector<std::string> names;
  for (const Target& device : devices) {
    if (device.gpu.name.find(part) != std::string::npos) return MakeTarget(Completed(spec, device));
    names.push_back("'" + device.gpu.name + "'");
  }
  throw InputError("device: found '" + part + "', expected a part of " + Join(names, " or "));
}

}  // namespace schedulegym
