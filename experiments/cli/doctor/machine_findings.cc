#include "experiments/cli/doctor/machine_findings.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>

#include "assembly/processes/command_words.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/worker_process.h"
#include "experiments/bench/bench_client.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

Finding Processor(const Target& target, const MachineFacts& machine) {
  const std::string model = machine.processor.value_or("unknown processor");
  return {
      "processor", model + " (" + target.cpu + ")", {{"model", model}, {"cpu", target.cpu}}, ""};
}

Finding Features(const Target& target) {
  const std::string all = Join(target.features, " ");
  return {"features", all.empty() ? "none known" : all, {{"features", all}}, ""};
}

Finding Cores(const Target& target) {
  const auto online = static_cast<int64_t>(sysconf(_SC_NPROCESSORS_ONLN));
  return {
      "cores",
      std::to_string(target.cores) + " for this process, " + std::to_string(online) + " online",
      {{"usable", target.cores}, {"online", online}},
      online < 2 ? "compiling and measuring share one core; use a machine with two or more" : ""};
}

Finding Vectors(const Target& target) {
  return {"vectors",
          std::to_string(target.vector_bits) + " bits, " + std::to_string(target.vector_registers) +
              " registers",
          {{"bits", target.vector_bits}, {"registers", target.vector_registers}},
          ""};
}

Finding Caches(const Target& target) {
  return {"caches",
          "L1 " + FormatBytes(target.l1_bytes) + ", L2 " + FormatBytes(target.l2_bytes) + ", L3 " +
              FormatBytes(target.l3_bytes) + ", lines of " + FormatBytes(target.line_bytes),
          {{"l1_bytes", target.l1_bytes},
           {"l2_bytes", target.l2_bytes},
           {"l3_bytes", target.l3_bytes},
           {"line_bytes", target.line_bytes}},
          ""};
}

Finding Memory(const Target& target) {
  return {"memory", FormatBytes(target.memory_bytes), {{"bytes", target.memory_bytes}}, ""};
}

Finding System(const MachineFacts& machine) {
  utsname name = {};
  uname(&name);
  const std::string release = std::string(name.sysname) + " " + name.release;
  const bool guest = machine.virtual_machine.value_or(false);
  return {"system",
          release + (guest ? ", virtual machine" : ""),
          {{"release", release}, {"virtual_machine", guest}},
          ""};
}

Finding LlvmFinding() {
  try {
    const std::string toolchain = ToolchainInWorker(FindWorkerProgram());
    return {"backend llvm", "ready, " + toolchain, {{"ready", true}, {"toolchain", toolchain}}, ""};
  } catch (const std::exception& error) {
    return {"backend llvm",
            error.what(),
            {{"ready", false}, {"toolchain", JsonValue()}},
            "apt-get install llvm-19-dev libseccomp-dev, then ./sg setup"};
  }
}

std::vector<Finding> PeerFindings() {
  std::vector<Finding> findings;
  try {
    for (const PeerState& peer : PeersOfWorker().peers) {
      const bool ready = peer.lack.empty();
      findings.push_back(
          {"peer " + peer.name, ready ? "ready" : peer.lack, {{"ready", ready}}, ""});
    }
  } catch (const std::exception& error) {
    findings.push_back({"peers", error.what(), {{"ready", false}}, ""});
  }
  return findings;
}

Finding Linker() {
  const char* path = std::getenv("PATH");
  for (const char* program : {"cc", "gcc", "clang"}) {
    const std::optional<std::string> found = FindInPath(program, path ? path : "");
    if (found) return {"linker", *found, {{"path", *found}}, ""};
  }
  return {"linker", "missing", {{"path", JsonValue()}}, "export needs one: apt-get install g++"};
}

}  // namespace

std::vector<Finding> MachineFindings(const Target& target, const MachineFacts& machine) {
  return {Processor(target, machine),
          Features(target),
          Cores(target),
          Vectors(target),
          Caches(target),
          Memory(target),
          System(machine)};
}

std::vector<Finding> PartFindings() {
  std::vector<Finding> findings = {
      LlvmFinding(), {"backend interpreter", "ready", {{"ready", true}}, ""}, Linker()};
  for (Finding& finding : PeerFindings()) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace schedulegym
