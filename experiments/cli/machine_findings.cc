#include "experiments/cli/machine_findings.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>

#include "backends/backend.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "experiments/bench/peer.h"
#include "experiments/cli/find_program.h"
#include "experiments/cli/units.h"

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

Finding BackendFinding(const std::string& name, const std::string& cure) {
  try {
    MakeBackend(MakeTarget(Spec{name, {}}));
    return {"backend " + name, "ready", {{"ready", true}}, ""};
  } catch (const std::exception& error) {
    return {"backend " + name, error.what(), {{"ready", false}}, cure};
  }
}

Finding PeerFinding(const std::string& name) {
  try {
    MakePeers(*ProblemOf(*ParseSpec("matmul(m=8,n=8,k=8)")), 1, {name});
    return {"peer " + name, "ready", {{"ready", true}}, ""};
  } catch (const MachineError& error) {
    return {"peer " + name, error.what(), {{"ready", false}}, ""};
  }
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
      BackendFinding("llvm", "apt-get install llvm-19-dev, then ./sg setup"),
      BackendFinding("interpreter", ""), Linker()};
  for (const std::string& name : PeerNames()) findings.push_back(PeerFinding(name));
  return findings;
}

}  // namespace schedulegym
