// Diagnostics of noise and of the store's place: name, value, fields and, above a threshold, an
// advice. Load above half of the cores, a quota under the cores, any throttled time, a clock step
// above 1 us, jitter above 0.1, a governor other than performance, turbo, hyper-threads, grades B
// and C have one. Folders in memory are known by tmpfs and ramfs numbers of statfs.
#include "experiments/cli/doctor/diagnostic.h"

#include <sys/vfs.h>

#include <algorithm>
#include <filesystem>

#include "env/measure/store/sqlite_database.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool IsInMemory(const std::string& folder) {
  constexpr long kTmpfs = 0x01021994;  // statfs(2)
  constexpr long kRamfs = 0x858458f6;
  struct statfs system = {};
  if (statfs(folder.c_str(), &system) != 0) return false;
  return system.f_type == kTmpfs || system.f_type == kRamfs;
}

std::string Percent(double share, int digits = 1) {
  return FormatFixed(share * 100, digits) + " %";
}

Diagnostic Frequency(const MachineFacts& machine) {
  Diagnostic diagnostic = {"frequency",
                           machine.mhz ? FormatFixed(*machine.mhz, 0) + " MHz now" : "unknown",
                           {{"mhz", machine.mhz}, {"governor", machine.governor}},
                           ""};
  diagnostic.value += machine.governor ? ", governor " + *machine.governor : ", no control over it";
  if (machine.governor && *machine.governor != "performance") {
    diagnostic.advice = "set the governor to performance: cpupower frequency-set -g performance";
  }
  return diagnostic;
}

Diagnostic Turbo(const MachineFacts& machine) {
  if (!machine.turbo) return {"turbo", "unknown", {{"active", JsonValue()}}, ""};
  Diagnostic diagnostic = {
      "turbo", *machine.turbo ? "on" : "off", {{"active", *machine.turbo}}, ""};
  if (*machine.turbo) {
    diagnostic.advice =
        "clocks follow heat and load; for steady seconds: "
        "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or "
        "echo 0 > /sys/devices/system/cpu/cpufreq/boost";
  }
  return diagnostic;
}

Diagnostic HyperThreads(const MachineFacts& machine) {
  if (!machine.smt) return {"hyper-threads", "unknown", {{"active", JsonValue()}}, ""};
  Diagnostic diagnostic = {
      "hyper-threads", *machine.smt ? "on" : "off", {{"active", *machine.smt}}, ""};
  if (*machine.smt) {
    diagnostic.advice =
        "neighbours on one core slow each other: echo off > /sys/devices/system/cpu/smt/control";
  }
  return diagnostic;
}

Diagnostic Load(const MachineFacts& machine, int cores) {
  Diagnostic diagnostic = {"load",
                           machine.load ? FormatFixed(*machine.load, 2) : "unknown",
                           {{"load", machine.load}},
                           ""};
  if (machine.load && *machine.load > 0.5 * cores) {
    diagnostic.advice = "other programs are running; measure on an idle machine";
  }
  return diagnostic;
}

Diagnostic Steal(const SessionProbe& probe) {
  const std::optional<double> share = probe.steal_share;
  return {
      "steal",
      share ? Percent(*share) + " of the last moment" : "unknown",
      {{"share", share}},
      share.value_or(0) > 0.02 ? "the host gives time to other guests; use a dedicated one" : ""};
}

Diagnostic Throttling(const SessionProbe& probe, int cores) {
  const std::optional<CgroupCpu>& cgroup = probe.machine.cgroup;
  if (!cgroup) return {"throttling", "unknown", {{"quota_cores", JsonValue()}}, ""};
  Diagnostic diagnostic = {"throttling",
                           cgroup->quota_cores
                               ? "at most " + FormatFixed(*cgroup->quota_cores, 2) + " cores"
                               : "no limit",
                           {{"quota_cores", cgroup->quota_cores},
                            {"throttled", cgroup->throttled},
                            {"throttled_seconds", cgroup->throttled_seconds},
                            {"throttled_now_seconds", probe.throttled_seconds}},
                           ""};
  diagnostic.value += ", stopped " + std::to_string(cgroup->throttled) + " times so far";
  if (probe.throttled_seconds > 0) {
    diagnostic.value += ", for " + FormatSeconds(probe.throttled_seconds) + " just now";
  }
  const bool is_short = cgroup->quota_cores && *cgroup->quota_cores < cores;
  if (is_short || probe.throttled_seconds > 0) {
    diagnostic.advice = "raise the control group's CPU limit to " + std::to_string(cores) +
                        " cores or more, or use fewer: --target 'llvm(cores=1)'";
  }
  return diagnostic;
}

Diagnostic EventCounting(const MachineFacts& machine, const std::optional<std::string>& why_not) {
  Diagnostic diagnostic = {"counters",
                           why_not ? *why_not : "instructions and cycles of user mode",
                           {{"available", !why_not}, {"paranoia", machine.counter_paranoia}},
                           ""};
  if (!why_not) return diagnostic;
  diagnostic.advice =
      machine.counter_paranoia.value_or(0) > 2
          ? "sysctl kernel.perf_event_paranoid=2"
          : "records go without them; a virtual machine must be given them by its host";
  return diagnostic;
}

Diagnostic HugePages(const MachineFacts& machine) {
  Diagnostic diagnostic = {
      "huge pages",
      machine.huge_pages.value_or("unknown") + ", pages of " + FormatBytes(machine.page_bytes),
      {{"mode", machine.huge_pages}, {"page_bytes", machine.page_bytes}},
      ""};
  if (machine.huge_pages == "always") {
    diagnostic.advice =
        "buffers get them by chance: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled";
  }
  return diagnostic;
}

// Random layouts make processes differ, and only they show how far a result depends on its layout.
Diagnostic Addresses(const MachineFacts& machine) {
  if (!machine.random_addresses) return {"addresses", "unknown", {{"random", JsonValue()}}, ""};
  if (*machine.random_addresses) {
    return {"addresses",
            "random in every process; finalists are timed in several",
            {{"random", true}},
            ""};
  }
  return {"addresses",
          "the same in every process",
          {{"random", false}},
          "a lucky layout goes unnoticed: sysctl kernel.randomize_va_space=2"};
}

Diagnostic MemoryNodes(const MachineFacts& machine) {
  const int64_t nodes = machine.memory_nodes.value_or(1);
  return {"memory nodes",
          machine.memory_nodes ? std::to_string(nodes) : "unknown",
          {{"count", machine.memory_nodes}},
          nodes > 1
              ? "memory may be far from its core: numactl --cpunodebind=0 --membind=0 ./sg ..."
              : ""};
}

Diagnostic Swap(const MachineFacts& machine) {
  const std::optional<int64_t> used = machine.swap_used_bytes;
  return {"swap",
          used ? FormatBytes(*used) + " in use" : "unknown",
          {{"used_bytes", used}},
          used.value_or(0) > 0 ? "memory was short; stop other programs, then swapoff -a" : ""};
}

Diagnostic ClockDiagnostic(const SessionProbe& probe) {
  const ClockQuality& clock = probe.clock;
  const std::optional<std::string>& source = probe.machine.clock_source;
  Diagnostic diagnostic = {"clock",
                           "steps of " + FormatSeconds(clock.step_seconds) + ", " +
                               FormatSeconds(clock.call_seconds) +
                               " a reading, fixed work varies by " + Percent(clock.jitter) +
                               ", source " + source.value_or("unknown"),
                           {{"step_seconds", clock.step_seconds},
                            {"call_seconds", clock.call_seconds},
                            {"empty_call_seconds", probe.empty_call_seconds},
                            {"jitter", clock.jitter},
                            {"source", source}},
                           ""};
  if (clock.step_seconds > 1e-6) diagnostic.advice = "the clock is coarse; short kernels are noisy";
  if (clock.jitter > 0.1)
    diagnostic.advice = "something disturbs this machine; stop other programs";
  return diagnostic;
}

Diagnostic Grade(const SessionProbe& probe) {
  const double error = Quantile(probe.errors, 0.95);
  const std::string grade = GradeName(probe.grade);
  Diagnostic diagnostic = {"grade",
                           grade + ": equal kernels differ by " + Percent(error, 2) + " (95 % of " +
                               std::to_string(probe.errors.size()) + " runs; median " +
                               Percent(Quantile(probe.errors, 0.5), 2) + ")",
                           {{"grade", grade},
                            {"error", error},
                            {"median_error", Quantile(probe.errors, 0.5)},
                            {"runs", static_cast<int64_t>(probe.errors.size())}},
                           ""};
  if (probe.grade == HostGrade::kB) diagnostic.advice = "A takes 0.5 %; follow the other advice";
  if (probe.grade == HostGrade::kC) {
    diagnostic.advice =
        "B takes 2 %; results from here stand in no leaderboard; stop other programs";
  }
  return diagnostic;
}

}  // namespace

std::string DiagnosticText(const Diagnostic& diagnostic) {
  constexpr size_t kNameWidth = 20;
  std::string text = diagnostic.name;
  text.resize(std::max(text.size() + 1, kNameWidth), ' ');
  text += diagnostic.value;
  if (!diagnostic.advice.empty()) text += " -> " + diagnostic.advice;
  return text;
}

void ReportDiagnostic(const Diagnostic& diagnostic, Report& report) {
  JsonObject fields = diagnostic.fields;
  fields.insert(fields.begin(), {"value", diagnostic.value});
  fields.push_back(
      {"advice", diagnostic.advice.empty() ? JsonValue() : JsonValue(diagnostic.advice)});
  report.Item(diagnostic.name, std::move(fields), DiagnosticText(diagnostic));
}

Diagnostic SqliteDiagnostic(const std::string& version, int version_number) {
  const bool bug = HasWalResetBug(version_number);
  return {
      "sqlite",
      version,
      {{"version", version}, {"wal_reset_bug", bug}},
      bug ? "two writers of one store could damage it, which the store's lock prevents; repaired "
            "in 3.44.6, 3.50.7 and 3.51.3"
          : ""};
}

Diagnostic StorePlaceDiagnostic(const std::string& path, const std::optional<std::string>& network,
                                bool in_memory) {
  Diagnostic diagnostic = {
      "store", path, {{"path", path}, {"network", network}, {"in_memory", in_memory}}, ""};
  if (network) {
    diagnostic.value += ", on " + *network;
    diagnostic.advice =
        "locks do not hold on a network file system; name a local file: --store FILE";
  } else if (in_memory) {
    diagnostic.value += ", in memory";
    diagnostic.advice =
        "records are lost when the machine stops; name a file on a disk: --store FILE";
  } else {
    diagnostic.value += ", local";
  }
  return diagnostic;
}

std::vector<Diagnostic> StoreDiagnostics(const std::string& path) {
  return {SqliteDiagnostic(SqliteVersion(), SqliteVersionNumber()),
          StorePlaceDiagnostic(path, NetworkFileSystem(path), IsInMemory(FolderOf(path)))};
}

std::vector<Diagnostic> NoiseDiagnostics(const SessionProbe& probe, int cores,
                                         const std::optional<std::string>& counters) {
  const MachineFacts& machine = probe.machine;
  return {Frequency(machine),
          Turbo(machine),
          HyperThreads(machine),
          Load(machine, cores),
          ClockDiagnostic(probe),
          Steal(probe),
          Throttling(probe, cores),
          EventCounting(machine, counters),
          HugePages(machine),
          Addresses(machine),
          MemoryNodes(machine),
          Swap(machine),
          Grade(probe)};
}

}  // namespace schedulegym
