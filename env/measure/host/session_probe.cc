// Grades a machine by timing equal work against itself: runs of 51 interleaved rounds of one loop
// of 2 x 4 KiB, the error of a run is |ln(ratio)|. Grade A: 95 % of runs within 0.005, B: 0.02,
// else C; at least 5 runs, until `seconds` are over. Also the clock's step and reading time (20000
// readings), and jitter: p95 / p5 - 1 of 200 spins of about a millisecond. Quantiles interpolate
// linearly between order statistics.
// Cost: the given seconds.
#include "env/measure/host/session_probe.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "env/base/check.h"
#include "env/base/spec.h"

namespace schedulegym {
namespace {

constexpr int kRounds = 51;
constexpr int kLeastRuns = 5;

// Lives in the first cache of any processor; a call takes some microseconds.
class FloatLoop {
 public:
  void operator()() {
    for (int repeat = 0; repeat < 32; ++repeat) {
      for (size_t i = 0; i < values_.size(); ++i) values_[i] = values_[i] * 0.5f + added_[i];
      // Counts as a read of values_, so that the compiler keeps the loop.
      asm volatile("" : : "r"(values_.data()) : "memory");
    }
  }

 private:
  std::array<float, 1024> values_ = {};
  std::array<float, 1024> added_ = {};
};

double EmptyCallSeconds(const Clock& clock) {
  constexpr int kTries = 1000;
  const std::function<void()> nothing = [] {};
  std::vector<double> times;
  for (int i = 0; i < kTries; ++i) {
    const double begin = clock.Now();
    nothing();
    times.push_back(clock.Now() - begin);
  }
  return Quantile(times, 0.5);
}

std::optional<CpuTicks> ReadTicks() {
  return ParseCpuTicks(ReadFileIfAny("/proc/stat").value_or(""));
}

double ThrottledSeconds() {
  const std::optional<CgroupCpu> cgroup = ReadCgroupCpu();
  return cgroup ? cgroup->throttled_seconds : 0;
}

class SpecWriter {
 public:
  template <typename T>
  void Add(const std::string& key, const std::optional<T>& value) {
    if (value) Add(key, *value);
  }
  void Add(const std::string& key, double value) { Put(key, value); }
  void Add(const std::string& key, int64_t value) { Put(key, value); }
  void Add(const std::string& key, bool value) { Put(key, value); }
  void Add(const std::string& key, const std::string& value) { Put(key, value); }

  std::string Text() const { return spec_.ToText(); }

 private:
  template <typename T>
  void Put(const std::string& key, const T& value) {
    spec_.options.push_back({key, SpecValue{value}});
  }

  Spec spec_{"probe", {}};
};

// A work of fixed length that the compiler cannot shorten.
uint64_t Spin(int64_t steps) {
  volatile uint64_t state = 1;
  for (int64_t i = 0; i < steps; ++i) state = state * 6364136223846793005u + 1;
  return state;
}

double TimeSpin(const Clock& clock, int64_t steps) {
  const double began = clock.Now();
  Spin(steps);
  return clock.Now() - began;
}

constexpr double kMostOfA = 0.005;
constexpr double kMostOfB = 0.02;

}  // namespace

std::vector<double> ErrorsOfEqualCalls(const std::function<void()>& call,
                                       const PairedClocks& clocks, double seconds, Rng& rng) {
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = protocol.long_rounds = kRounds;
  protocol.best_rounds = kRounds;
  const std::array<std::function<void()>, 2> twice = {call, call};
  std::vector<double> errors;
  const double begin = clocks.wall.Now();
  while (true) {
    const PairedTiming timing = TimeInterleaved(twice, protocol, std::nullopt, clocks, rng);
    errors.push_back(std::abs(std::log(timing.series[1].ratio.median)));
    const double spent = clocks.wall.Now() - begin;
    const double each = spent / static_cast<double>(errors.size());
    if (errors.size() >= kLeastRuns && spent + each > seconds) return errors;
  }
}

SessionProbe ProbeHost(const PairedClocks& clocks, double seconds, Rng& rng) {
  const double begin = clocks.wall.Now();
  SessionProbe probe;
  probe.machine = ReadMachineFacts();
  probe.clock = EvaluateClock(clocks.wall);
  probe.empty_call_seconds = EmptyCallSeconds(clocks.wall);
  const std::optional<CpuTicks> ticks = ReadTicks();
  const double throttled = ThrottledSeconds();
  FloatLoop loop;
  const double left = seconds - (clocks.wall.Now() - begin);
  probe.errors = ErrorsOfEqualCalls([&loop] { loop(); }, clocks, left, rng);
  probe.grade = GradeOf(probe.errors);
  probe.throttled_seconds = ThrottledSeconds() - throttled;
  const std::optional<CpuTicks> ticks_after = ReadTicks();
  if (ticks && ticks_after) probe.steal_share = StealShare(*ticks, *ticks_after);
  return probe;
}

std::string ProbeText(const SessionProbe& probe) {
  const MachineFacts& machine = probe.machine;
  SpecWriter writer;
  writer.Add("grade", std::string(GradeName(probe.grade)));
  writer.Add("error", Quantile(probe.errors, 0.95));
  writer.Add("runs", static_cast<int64_t>(probe.errors.size()));
  writer.Add("clock_source", machine.clock_source);
  writer.Add("clock_step", probe.clock.step_seconds);
  writer.Add("clock_reading", probe.clock.call_seconds);
  writer.Add("empty_call", probe.empty_call_seconds);
  writer.Add("jitter", probe.clock.jitter);
  writer.Add("steal", probe.steal_share);
  writer.Add("load", machine.load);
  writer.Add("throttled", probe.throttled_seconds);
  if (machine.cgroup) writer.Add("quota_cores", machine.cgroup->quota_cores);
  writer.Add("governor", machine.governor);
  writer.Add("turbo", machine.turbo);
  writer.Add("smt", machine.smt);
  writer.Add("page_bytes", machine.page_bytes);
  writer.Add("huge_pages", machine.huge_pages);
  writer.Add("virtual_machine", machine.virtual_machine);
  return writer.Text();
}

ClockQuality EvaluateClock(const Clock& clock) {
  constexpr int kReadings = 20000, kRuns = 200;
  ClockQuality quality;
  quality.step_seconds = 1;
  const double began = clock.Now();
  double last = began;
  for (int i = 0; i < kReadings; ++i) {
    const double now = clock.Now();
    if (now > last) quality.step_seconds = std::min(quality.step_seconds, now - last);
    last = now;
  }
  quality.call_seconds = (last - began) / kReadings;

  int64_t steps = 1000;
  while (steps < (int64_t{1} << 30) && TimeSpin(clock, steps) < 0.001) steps *= 2;
  std::vector<double> times;
  for (int i = 0; i < kRuns; ++i) times.push_back(TimeSpin(clock, steps));
  std::sort(times.begin(), times.end());
  const double low = times[kRuns / 20];
  if (low > 0) quality.jitter = times[kRuns - 1 - kRuns / 20] / low - 1;
  return quality;
}

double Quantile(std::span<const double> values, double share) {
  SG_CHECK(!values.empty() && share >= 0 && share <= 1, "a quantile needs values");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

HostGrade GradeOf(std::span<const double> errors) {
  const double error = Quantile(errors, 0.95);
  if (error <= kMostOfA) return HostGrade::kA;
  return error <= kMostOfB ? HostGrade::kB : HostGrade::kC;
}

const char* GradeName(HostGrade grade) {
  switch (grade) {
    case HostGrade::kA: return "A";
    case HostGrade::kB: return "B";
    case HostGrade::kC: return "C";
  }
  return "C";
}

}  // namespace schedulegym
