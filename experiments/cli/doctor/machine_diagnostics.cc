// Diagnostics of the machine and of this build: processor, features, cores, vectors, caches,
// memory, kernel, and whether the parts are there: the LLVM backend (its toolchain), peers (asked
// of a worker), the linker that export needs (cc, gcc, clang in PATH). A part that is missing has
// an advice how to get it.
#include "experiments/cli/doctor/machine_diagnostics.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "assembly/processes/command_arguments.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/toolkit_files.h"
#include "backends/runner/device_target.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/worker_process.h"
#include "experiments/bench/bench_client.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

Diagnostic Processor(const Target& target, const MachineFacts& machine) {
  const std::string model = machine.processor.value_or("unknown processor");
  return {
      "processor", model + " (" + target.cpu + ")", {{"model", model}, {"cpu", target.cpu}}, ""};
}

Diagnostic Features(const Target& target) {
  const std::string all = Join(target.features, " ");
  return {"features", all.empty() ? "none known" : all, {{"features", all}}, ""};
}

Diagnostic Cores(const Target& target) {
  const auto online = static_cast<int64_t>(sysconf(_SC_NPROCESSORS_ONLN));
  return {
      "cores",
      std::to_string(target.cores) + " for this process, " + std::to_string(online) + " online",
      {{"usable", target.cores}, {"online", online}},
      online < 2 ? "compiling and measuring share one core; use a machine with two or more" : ""};
}

Diagnostic Vectors(const Target& target) {
  return {"vectors",
          std::to_string(target.vector_bits) + " bits, " + std::to_string(target.vector_registers) +
              " registers",
          {{"bits", target.vector_bits}, {"registers", target.vector_registers}},
          ""};
}

Diagnostic Caches(const Target& target) {
  return {"caches",
          "L1 " + FormatBytes(target.l1_bytes) + ", L2 " + FormatBytes(target.l2_bytes) + ", L3 " +
              FormatBytes(target.l3_bytes) + ", lines of " + FormatBytes(target.line_bytes),
          {{"l1_bytes", target.l1_bytes},
           {"l2_bytes", target.l2_bytes},
           {"l3_bytes", target.l3_bytes},
           {"line_bytes", target.line_bytes}},
          ""};
}

Diagnostic ModelState(const Target& target) {
  return {"memory", FormatBytes(target.memory_bytes), {{"bytes", target.memory_bytes}}, ""};
}

Diagnostic System(const MachineFacts& machine) {
  utsname name = {};
  uname(&name);
  const std::string release = std::string(name.sysname) + " " + name.release;
  const bool guest = machine.virtual_machine.value_or(false);
  return {"system",
          release + (guest ? ", virtual machine" : ""),
          {{"release", release}, {"virtual_machine", guest}},
          ""};
}

Diagnostic LlvmDiagnostic() {
  try {
    const Target target = MakeTarget(*ParseSpec("llvm"));
    const std::string toolchain = ToolchainInWorker(FindWorkerProgram(), target);
    return {"backend llvm", "ready, " + toolchain, {{"ready", true}, {"toolchain", toolchain}}, ""};
  } catch (const std::exception& error) {
    return {"backend llvm",
            error.what(),
            {{"ready", false}, {"toolchain", JsonValue()}},
            "apt-get install llvm-19-dev libseccomp-dev, then ./sg setup base"};
  }
}

std::vector<Diagnostic> PeerDiagnostics() {
  std::vector<Diagnostic> diagnostics;
  try {
    for (const PeerState& peer : PeersOfWorker().peers) {
      const bool ready = peer.lack.empty();
      diagnostics.push_back(
          {"peer " + peer.name, ready ? "ready" : peer.lack, {{"ready", ready}}, ""});
    }
  } catch (const std::exception& error) {
    diagnostics.push_back({"peers", error.what(), {{"ready", false}}, ""});
  }
  return diagnostics;
}

Diagnostic OpenClDiagnostic() {
  try {
    std::vector<std::string> names;
    for (const Target& target : OpenClTargets()) names.push_back(target.gpu.name);
    const std::string text = Join(names, ", ");
    return {"backend opencl", text, {{"ready", true}, {"devices", text}}, ""};
  } catch (const MachineError& missing) {
    return {"backend opencl", "missing", {{"ready", false}}, missing.what()};
  }
}

// The devices, or why there are none; without one kernels are compiled but not measured.
std::string CudaDeviceNames() {
  try {
    const CudaDevices devices = FindCudaDevices();
    std::vector<std::string> names;
    for (const Target& target : devices.targets) names.push_back(target.gpu.name);
    return Join(names, ", ") + " (driver for CUDA " + devices.driver + ")";
  } catch (const MachineError& missing) {
    return std::string("none: ") + missing.what();
  }
}

Diagnostic CudaDiagnostic() {
  try {
    const std::string nvrtc = DescribeNvrtc();
    const std::string nvdisasm = FindNvdisasm().value_or("missing");
    const std::string devices = CudaDeviceNames();
    return {"backend cuda",
            nvrtc + "; nvdisasm: " + nvdisasm + "; devices: " + devices,
            {{"ready", true}, {"nvrtc", nvrtc}, {"nvdisasm", nvdisasm}, {"devices", devices}},
            ""};
  } catch (const MachineError& missing) {
    return {"backend cuda", "missing", {{"ready", false}}, missing.what()};
  }
}

Diagnostic Linker() {
  for (const char* program : {"cc", "gcc", "clang"}) {
    const std::optional<std::string> found = FindInPath(program);
    if (found) return {"linker", *found, {{"path", *found}}, ""};
  }
  return {"linker", "missing", {{"path", JsonValue()}}, "export needs one: apt-get install g++"};
}

}  // namespace

std::vector<Diagnostic> MachineDiagnostics(const Target& target, const MachineFacts& machine) {
  return {
      Processor(target, machine), Features(target), Cores(target), Vectors(target), Caches(target),
      ModelState(target),         System(machine)};
}

std::vector<Diagnostic> PartDiagnostics() {
  std::vector<Diagnostic> diagnostics = {LlvmDiagnostic(),
                                         {"backend interpreter", "ready", {{"ready", true}}, ""},
                                         OpenClDiagnostic(),
                                         CudaDiagnostic(),
                                         Linker()};
  for (Diagnostic& diagnostic : PeerDiagnostics()) diagnostics.push_back(std::move(diagnostic));
  return diagnostics;
}

}  // namespace schedulegym
