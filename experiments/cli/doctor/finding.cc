#include "experiments/cli/doctor/finding.h"

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

Finding Frequency(const MachineFacts& machine) {
  Finding finding = {"frequency",
                     machine.mhz ? FormatFixed(*machine.mhz, 0) + " MHz now" : "unknown",
                     {{"mhz", machine.mhz}, {"governor", machine.governor}},
                     ""};
  finding.value += machine.governor ? ", governor " + *machine.governor : ", no control over it";
  if (machine.governor && *machine.governor != "performance") {
    finding.advice = "set the governor to performance: cpupower frequency-set -g performance";
  }
  return finding;
}

Finding Turbo(const MachineFacts& machine) {
  if (!machine.turbo) return {"turbo", "unknown", {{"active", JsonValue()}}, ""};
  Finding finding = {"turbo", *machine.turbo ? "on" : "off", {{"active", *machine.turbo}}, ""};
  if (*machine.turbo) {
    finding.advice =
        "clocks follow heat and load; for steady seconds: "
        "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or "
        "echo 0 > /sys/devices/system/cpu/cpufreq/boost";
  }
  return finding;
}

Finding HyperThreads(const MachineFacts& machine) {
  if (!machine.smt) return {"hyper-threads", "unknown", {{"active", JsonValue()}}, ""};
  Finding finding = {"hyper-threads", *machine.smt ? "on" : "off", {{"active", *machine.smt}}, ""};
  if (*machine.smt) {
    finding.advice =
        "neighbours on one core slow each other: echo off > /sys/devices/system/cpu/smt/control";
  }
  return finding;
}

Finding Load(const MachineFacts& machine, int cores) {
  Finding finding = {"load",
                     machine.load ? FormatFixed(*machine.load, 2) : "unknown",
                     {{"load", machine.load}},
                     ""};
  if (machine.load && *machine.load > 0.5 * cores) {
    finding.advice = "other programs are running; measure on an idle machine";
  }
  return finding;
}

Finding Steal(const SessionProbe& probe) {
  const std::optional<double> share = probe.steal_share;
  return {
      "steal",
      share ? Percent(*share) + " of the last moment" : "unknown",
      {{"share", share}},
      share.value_or(0) > 0.02 ? "the host gives time to other guests; use a dedicated one" : ""};
}

Finding Throttling(const SessionProbe& probe, int cores) {
  const std::optional<CgroupCpu>& cgroup = probe.machine.cgroup;
  if (!cgroup) return {"throttling", "unknown", {{"quota_cores", JsonValue()}}, ""};
  Finding finding = {"throttling",
                     cgroup->quota_cores
                         ? "at most " + FormatFixed(*cgroup->quota_cores, 2) + " cores"
                         : "no limit",
                     {{"quota_cores", cgroup->quota_cores},
                      {"throttled", cgroup->throttled},
                      {"throttled_seconds", cgroup->throttled_seconds},
                      {"throttled_now_seconds", probe.throttled_seconds}},
                     ""};
  finding.value += ", stopped " + std::to_string(cgroup->throttled) + " times so far";
  if (probe.throttled_seconds > 0) {
    finding.value += ", for " + FormatSeconds(probe.throttled_seconds) + " just now";
  }
  const bool is_short = cgroup->quota_cores && *cgroup->quota_cores < cores;
  if (is_short || probe.throttled_seconds > 0) {
    finding.advice = "raise the control group's CPU limit to " + std::to_string(cores) +
                     " cores or more, or use fewer: --target 'llvm(cores=1)'";
  }
  return finding;
}

Finding EventCounting(const MachineFacts& machine, const std::optional<std::string>& why_not) {
  Finding finding = {"counters",
                     why_not ? *why_not : "instructions and cycles of user mode",
                     {{"available", !why_not}, {"paranoia", machine.counter_paranoia}},
                     ""};
  if (!why_not) return finding;
  finding.advice =
      machine.counter_paranoia.value_or(0) > 2
          ? "sysctl kernel.perf_event_paranoid=2"
          : "records go without them; a virtual machine must be given them by its host";
  return finding;
}

Finding HugePages(const MachineFacts& machine) {
  Finding finding = {
      "huge pages",
      machine.huge_pages.value_or("unknown") + ", pages of " + FormatBytes(machine.page_bytes),
      {{"mode", machine.huge_pages}, {"page_bytes", machine.page_bytes}},
      ""};
  if (machine.huge_pages == "always") {
    finding.advice =
        "buffers get them by chance: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled";
  }
  return finding;
}

// Random layouts make processes differ, and only they show how far a result depends on its layout.
Finding Addresses(const MachineFacts& machine) {
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

Finding MemoryNodes(const MachineFacts& machine) {
  const int64_t nodes = machine.memory_nodes.value_or(1);
  return {"memory nodes",
          machine.memory_nodes ? std::to_string(nodes) : "unknown",
          {{"count", machine.memory_nodes}},
          nodes > 1
              ? "memory may be far from its core: numactl --cpunodebind=0 --membind=0 ./sg ..."
              : ""};
}

Finding Swap(const MachineFacts& machine) {
  const std::optional<int64_t> used = machine.swap_used_bytes;
  return {"swap",
          used ? FormatBytes(*used) + " in use" : "unknown",
          {{"used_bytes", used}},
          used.value_or(0) > 0 ? "memory was short; stop other programs, then swapoff -a" : ""};
}

Finding ClockFinding(const SessionProbe& probe) {
  const ClockQuality& clock = probe.clock;
  const std::optional<std::string>& source = probe.machine.clock_source;
  Finding finding = {"clock",
                     "steps of " + FormatSeconds(clock.step_seconds) + ", " +
                         FormatSeconds(clock.call_seconds) + " a reading, fixed work varies by " +
                         Percent(clock.jitter) + ", source " + source.value_or("unknown"),
                     {{"step_seconds", clock.step_seconds},
                      {"call_seconds", clock.call_seconds},
                      {"empty_call_seconds", probe.empty_call_seconds},
                      {"jitter", clock.jitter},
                      {"source", source}},
                     ""};
  if (clock.step_seconds > 1e-6) finding.advice = "the clock is coarse; short kernels are noisy";
  if (clock.jitter > 0.1) finding.advice = "something disturbs this machine; stop other programs";
  return finding;
}

Finding Grade(const SessionProbe& probe) {
  const double error = Quantile(probe.errors, 0.95);
  const std::string grade = GradeName(probe.grade);
  Finding finding = {"grade",
                     grade + ": equal kernels differ by " + Percent(error, 2) + " (95 % of " +
                         std::to_string(probe.errors.size()) + " runs; median " +
                         Percent(Quantile(probe.errors, 0.5), 2) + ")",
                     {{"grade", grade},
                      {"error", error},
                      {"median_error", Quantile(probe.errors, 0.5)},
                      {"runs", static_cast<int64_t>(probe.errors.size())}},
                     ""};
  if (probe.grade == HostGrade::kB) finding.advice = "A takes 0.5 %; follow the other advice";
  if (probe.grade == HostGrade::kC) {
    finding.advice = "B takes 2 %; results from here stand in no leaderboard; stop other programs";
  }
  return finding;
}

}  // namespace

std::string FindingText(const Finding& finding) {
  constexpr size_t kNameWidth = 20;
  std::string text = finding.name;
  text.resize(std::max(text.size() + 1, kNameWidth), ' ');
  text += finding.value;
  if (!finding.advice.empty()) text += " -> " + finding.advice;
  return text;
}

void ReportFinding(const Finding& finding, Report& report) {
  JsonObject fields = finding.fields;
  fields.insert(fields.begin(), {"value", finding.value});
  fields.push_back({"advice", finding.advice.empty() ? JsonValue() : JsonValue(finding.advice)});
  report.Item(finding.name, std::move(fields), FindingText(finding));
}

Finding SqliteFinding(const std::string& version, int version_number) {
  const bool bug = HasWalResetBug(version_number);
  return {
      "sqlite",
      version,
      {{"version", version}, {"wal_reset_bug", bug}},
      bug ? "two writers of one store could damage it, which the store's lock prevents; repaired "
            "in 3.44.6, 3.50.7 and 3.51.3"
          : ""};
}

Finding StorePlaceFinding(const std::string& path, const std::optional<std::string>& network,
                          bool in_memory) {
  Finding finding = {
      "store", path, {{"path", path}, {"network", network}, {"in_memory", in_memory}}, ""};
  if (network) {
    finding.value += ", on " + *network;
    finding.advice = "locks do not hold on a network file system; name a local file: --store FILE";
  } else if (in_memory) {
    finding.value += ", in memory";
    finding.advice = "records are lost when the machine stops; name a file on a disk: --store FILE";
  } else {
    finding.value += ", local";
  }
  return finding;
}

std::vector<Finding> StoreFindings(const std::string& path) {
  return {SqliteFinding(SqliteVersion(), SqliteVersionNumber()),
          StorePlaceFinding(path, NetworkFileSystem(path), IsInMemory(FolderOf(path)))};
}

std::vector<Finding> NoiseFindings(const SessionProbe& probe, int cores,
                                   const std::optional<std::string>& counters) {
  const MachineFacts& machine = probe.machine;
  return {Frequency(machine),
          Turbo(machine),
          HyperThreads(machine),
          Load(machine, cores),
          ClockFinding(probe),
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
