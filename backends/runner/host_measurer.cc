#include "backends/runner/host_measurer.h"

#include <unistd.h>

#include <algorithm>

#include "backends/runner/code_client.h"
#include "backends/runner/in_process_measurer.h"
#include "backends/runner/worker_measurer.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/worker_process.h"
#include "env/program/targets/cpu_features.h"

namespace schedulegym {
namespace {

std::unique_ptr<Measurer> MakeInterpreting(HostMeasurerOptions host) {
  InProcessOptions options;
  options.protocol = host.protocol;
  options.seed = host.seed;
  options.reference = std::move(host.reference);
  options.make_backend = std::move(host.make_interpreter);
  return MakeInProcessMeasurer(std::move(options));
}

}  // namespace

void CheckMeasurable(const Target& target) {
  if (target.backend == BackendKind::kInterpreter) return;
  if (target.backend == BackendKind::kCuda) throw MachineError("this build has no cuda backend");
  const std::vector<std::string> offered = HostFeatures();
  for (const std::string& feature : target.features) {
    if (std::binary_search(offered.begin(), offered.end(), feature)) continue;
    throw MachineError("this machine lacks '" + feature + "' of target " + target.ToText() +
                       ": expected some of " + Join(offered, ","));
  }
  FindWorkerProgram();
}

std::unique_ptr<Measurer> MakeHostMeasurer(const Target& target, HostMeasurerOptions host) {
  CheckMeasurable(target);
  if (target.backend == BackendKind::kInterpreter) return MakeInterpreting(std::move(host));
  WorkerOptions options;
  options.program = FindWorkerProgram();
  options.protocol = ProtocolText(host.protocol);
  options.seed = host.seed;
  options.reference = std::move(host.reference);
  const auto processors = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  // They rest while something is timed.
  options.compile_workers = std::max(1, processors);
  options.checkers = target.cores == 1 && processors > 1 ? 2 : 1;
  return MakeWorkerMeasurer(std::move(options));
}

std::string MeasuringToolchain(const Target& target) {
  CheckMeasurable(target);
  if (target.backend == BackendKind::kInterpreter) return "";
  return ToolchainInWorker(FindWorkerProgram());
}

}  // namespace schedulegym
