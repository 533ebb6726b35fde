// The command `doctor`: what this machine offers, what is missing, how to make it better.
#include <sys/utsname.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <thread>

#include "backends/backend.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/clock_quality.h"
#include "env/measure/machine_facts.h"
#include "experiments/bench/peer.h"
#include "experiments/cli/builtin_commands.h"
#include "experiments/cli/find_program.h"
#include "experiments/cli/units.h"

namespace schedulegym {
namespace {

// One line of the answer; `advice` says how to make it better, if it may be.
struct Finding {
  std::string name;
  std::string value;
  JsonObject fields;
  std::string advice;
};

std::string Percent(double share) { return FormatFixed(share * 100, 1) + " %"; }

Finding Processor(const Target& target) {
  const std::string info = ReadFileIfAny("/proc/cpuinfo").value_or("");
  const std::string model = CpuInfoValue(info, "model name").value_or("unknown processor");
  return {
      "processor", model + " (" + target.cpu + ")", {{"model", model}, {"cpu", target.cpu}}, ""};
}

Finding Features(const Target& target) {
  const std::string all = Join(target.features, " ");
  return {"features", all.empty() ? "none known" : all, {{"features", all}}, ""};
}

Finding Cores(const Target& target) {
  const auto online = static_cast<int64_t>(sysconf(_SC_NPROCESSORS_ONLN));
  return {"cores",
          std::to_string(target.cores) + " for this process, " + std::to_string(online) + " online",
          {{"usable", target.cores}, {"online", online}},
          ""};
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

Finding System() {
  utsname name = {};
  uname(&name);
  const std::string release = std::string(name.sysname) + " " + name.release;
  const std::string info = ReadFileIfAny("/proc/cpuinfo").value_or("");
  const bool guest = (" " + CpuInfoValue(info, "flags").value_or("") + " ").find(" hypervisor ") !=
                     std::string::npos;
  return {"system",
          release + (guest ? ", virtual machine" : ""),
          {{"release", release}, {"virtual_machine", guest}},
          ""};
}

Finding Frequency() {
  const std::string folder = "/sys/devices/system/cpu/cpu0/cpufreq/";
  const std::optional<std::string> governor = ReadFileIfAny(folder + "scaling_governor");
  const std::string info = ReadFileIfAny("/proc/cpuinfo").value_or("");
  const std::optional<std::string> mhz = CpuInfoValue(info, "cpu MHz");
  Finding finding = {
      "frequency",
      mhz ? *mhz + " MHz now" : "unknown",
      {{"mhz", mhz ? JsonValue(ParseDouble(*mhz)) : JsonValue()}, {"governor", governor}},
      ""};
  finding.value += governor ? ", governor " + *governor : ", no control over it";
  if (governor && *governor != "performance") {
    finding.advice = "set the governor to performance: cpupower frequency-set -g performance";
  }
  return finding;
}

Finding Load(const Target& target) {
  const std::string text = ReadFileIfAny("/proc/loadavg").value_or("");
  const std::optional<double> load = ParseDouble(text.substr(0, text.find(' ')));
  Finding finding = {"load", load ? FormatFixed(*load, 2) : "unknown", {{"load", load}}, ""};
  if (load && *load > 0.5 * target.cores) {
    finding.advice = "other programs are running; measure on an idle machine";
  }
  return finding;
}

Finding ClockFinding(const Clock& clock) {
  const ClockQuality quality = JudgeClock(clock);
  const std::optional<std::string> source =
      ReadFileIfAny("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  Finding finding = {"clock",
                     "steps of " + FormatSeconds(quality.step_seconds) + ", " +
                         FormatSeconds(quality.call_seconds) + " a reading, fixed work varies by " +
                         Percent(quality.jitter) + ", source " + source.value_or("unknown"),
                     {{"step_seconds", quality.step_seconds},
                      {"call_seconds", quality.call_seconds},
                      {"jitter", quality.jitter},
                      {"source", source}},
                     ""};
  if (quality.step_seconds > 1e-6) finding.advice = "the clock is coarse; short kernels are noisy";
  if (quality.jitter > 0.1) finding.advice = "something disturbs this machine; stop other programs";
  return finding;
}

Finding Steal(const std::optional<CpuTicks>& before) {
  const std::optional<CpuTicks> after = ParseCpuTicks(ReadFileIfAny("/proc/stat").value_or(""));
  if (!before || !after) return {"steal", "unknown", {{"share", JsonValue()}}, ""};
  const double share = StealShare(*before, *after);
  return {"steal",
          Percent(share) + " of the last moment",
          {{"share", share}},
          share > 0.02 ? "the host gives time to other guests; use a dedicated one" : ""};
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

std::vector<Finding> Examine(const Target& target, const Clock& clock) {
  const std::optional<CpuTicks> ticks = ParseCpuTicks(ReadFileIfAny("/proc/stat").value_or(""));
  std::vector<Finding> findings = {
      Processor(target), Features(target), Cores(target), Vectors(target), Caches(target),
      Memory(target),    System(),         Frequency(),   Load(target),    ClockFinding(clock)};
  findings.push_back(Steal(ticks));
  findings.push_back(BackendFinding("llvm", "apt-get install llvm-19-dev, then ./sg setup"));
  findings.push_back(BackendFinding("interpreter", ""));
  findings.push_back(Linker());
  for (const std::string& name : PeerNames()) findings.push_back(PeerFinding(name));
  findings.push_back({"measuring lock",
                      "none: this build measures in its own process",
                      {{"path", JsonValue()}},
                      ""});
  return findings;
}

class DoctorCommand : public Command {
 public:
  std::string name() const override { return "doctor"; }
  std::string help() const override {
    return "what this machine offers, what is missing, how to make it better";
  }
  void Declare(CLI::App&) override {}

  int Run(Session& session) override {
    for (Finding& finding : Examine(session.MakeTarget(), session.clock())) {
      std::string text = finding.name;
      text.resize(std::max<size_t>(text.size(), 20), ' ');
      text += finding.value;
      if (!finding.advice.empty()) text += " -> " + finding.advice;
      finding.fields.insert(finding.fields.begin(), {"value", finding.value});
      finding.fields.push_back(
          {"advice", finding.advice.empty() ? JsonValue() : JsonValue(finding.advice)});
      session.report().Item(finding.name, std::move(finding.fields), text);
    }
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> MakeDoctorCommand() { return std::make_unique<DoctorCommand>(); }

}  // namespace schedulegym
