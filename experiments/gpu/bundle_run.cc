// The front forks a child that opens the driver and runs cases one after another; a line of JSON
// comes back for each. The front itself loads no driver. A child whose context is broken ends after
// its row. A driver or a kernel that breaks a child costs one case. Summary: the best schedule of
// each matrix product over the peer, Spearman's rank correlation of estimate and time over the
// random schedules, how often equal kernels are called different and planted ones ordered.
#include "experiments/gpu/bundle_run.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "env/base/clock.h"
#include "env/base/files.h"
#include "env/ipc/encoding.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {
namespace {

constexpr FileKind kCaseFile = {"a case of a bundle", 64 * kMebibyte};
// Opening a driver.
constexpr double kStartSeconds = 60;
// Two hundred timings take so many times as long as other cases.
constexpr double kTellApartFactor = 10;

std::optional<GpuCase> ReadCase(const std::string& path) {
  Result<GpuCase> read = Decode<GpuCase>(ReadUntrustedFile(path, kCaseFile));
  return read ? std::optional(*std::move(read)) : std::nullopt;
}

void WriteLine(int descriptor, const Json& row) {
  const std::string line = row.ToText({.replace_invalid = true}) + "\n";
  for (size_t done = 0; done < line.size();) {
    const ssize_t wrote = write(descriptor, line.data() + done, line.size() - done);
    if (wrote <= 0) _exit(1);
    done += static_cast<size_t>(wrote);
  }
}

// The child's work: prints the device's facts, or why there is no device, then a row for each case.
[[noreturn]] void RunCases(std::span<const GpuCase> cases, const CaseOptions& options, int to) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    CaseRunner runner(options);
    WriteLine(to, runner.Facts());
    for (const GpuCase& one : cases) {
      WriteLine(to, runner.Run(one));
      if (runner.is_broken()) break;
    }
  } catch (const std::exception& missing) {
    WriteLine(to, Json::Object({{"missing", missing.what()}}));
  }
  _exit(0);
}

class Child {
 public:
  Child(std::span<const GpuCase> cases, const CaseOptions& options) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[0]);
      RunCases(cases, options, ends[1]);
    }
    close(ends[1]);
    from_ = ends[0];
  }
  // Its kernels end with it: no other child is started before.
  ~Child() { End(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // None where it ends, or the time is over.
  std::optional<Json> Next(double seconds) {
    const double deadline = clock_.Now() + seconds;
    while (true) {
      const size_t end = text_.find('\n');
      if (end != std::string::npos) {
        const std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        Result<Json> row = ParseJson(line);
        return row ? std::optional(*std::move(row)) : std::nullopt;
      }
      const double left = deadline - clock_.Now();
      pollfd ready = {from_, POLLIN, 0};
      if (left <= 0 || poll(&ready, 1, static_cast<int>(std::ceil(left * 1000))) < 0) return {};
      if (ready.revents == 0) continue;
      char buffer[4096];
      const ssize_t got = read(from_, buffer, sizeof buffer);
      if (got <= 0) return {};
      text_.append(buffer, static_cast<size_t>(got));
    }
  }

  // How it ended: by itself, or killed now.
  std::string End() {
    if (pid_ <= 0) return end_;
    int status = 0;
    const bool had_ended = waitpid(pid_, &status, WNOHANG) == pid_;
    if (!had_ended) {
      kill(pid_, SIGKILL);
      waitpid(pid_, &status, 0);
    }
    end_ = ExitText(status);
    close(from_);
    pid_ = -1;
    return end_;
  }

 private:
  pid_t pid_ = -1;
  int from_ = -1;
  SteadyClock clock_;
  std::string text_, end_ = "it did not start";
};

// Ranks; equal values get their mean rank.
std::vector<double> RanksOf(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    double below = 0, equal = 0;
    for (const double other : values) {
      below += other < value ? 1 : 0;
      equal += other == value ? 1 : 0;
    }
    ranks.push_back(below + (equal + 1) / 2);
  }
  return ranks;
}

double Correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  const double mean_a = mean(a), mean_b = mean(b);
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

// A summary of the rows.
class Summary {
 public:
  void Count(const Json& row) { ++outcomes_[row["group"].Text()][row["outcome"].Text()]; }

  void Note(const GpuCase& one, const Json& row) {
    Count(row);
    if (row["outcome"].Text() != "ok") return;
    if (one.group == "bench")
      benches_[one.name].push_back({row["seconds"].As<double>(), row["estimate"].As<double>()});
    if (one.group == "best") {
      const auto [best, is_first] = bests_.emplace(one.name, row["seconds"].As<double>());
      if (!is_first) best->second = std::min(best->second, row["seconds"].As<double>());
    }
    if (one.group == "peer") peers_[one.name] = row["seconds"].As<double>();
  }

  Json Row() const {
    Json row = Json::Object({{"group", "summary"}});
    for (const auto& [group, outcomes] : outcomes_) {
      Json counts = Json::Object();
      for (const auto& [outcome, count] : outcomes) counts.Set(outcome, count);
      row.Set(group, std::move(counts));
    }
    for (const auto& [name, timed] : benches_) row.Set(name, OfBench(name, timed));
    return row;
  }

  int ExitCode() const {
    int ran = 0, failed = 0;
    for (const auto& [group, outcomes] : outcomes_) {
      for (const auto& [outcome, count] : outcomes) {
        if (outcome == "not run") continue;
        ran += count;
        failed += outcome == "ok" ? 0 : count;
      }
    }
    if (ran == 0) return 3;
    return failed > 0 ? 1 : 0;
  }

 private:
  struct Timed {
    double seconds, estimate;
  };

  Json OfBench(const std::string& name, const std::vector<Timed>& timed) const {
    std::vector<double> seconds, estimates;
    for (const Timed& one : timed) {
      seconds.push_back(one.seconds);
      estimates.push_back(one.estimate);
    }
    double best = *std::ranges::min_element(seconds);
    const auto chosen = bests_.find(name);
    if (chosen != bests_.end()) best = std::min(best, chosen->second);
    Json row = Json::Object({{"schedules", static_cast<int64_t>(timed.size())}, {"best", best}});
    const auto peer = peers_.find(name);
    if (peer != peers_.end()) row.Set("best_over_cublas", peer->second / best);
    if (timed.size() > 2) row.Set("spearman", Correlation(RanksOf(seconds), RanksOf(estimates)));
    return row;
  }

  std::map<std::string, std::map<std::string, int>> outcomes_;
  std::map<std::string, std::vector<Timed>> benches_;
  std::map<std::string, double> peers_, bests_;  // seconds
};

class BundleRun {
 public:
  BundleRun(const BundleRunOptions& options, const std::function<void(const Json&)>& take)
      : options_(options), take_(take), end_(clock_.Now() + options.seconds) {}

  int Run(const std::vector<GpuCase>& cases) {
    size_t next = 0;
    bool has_facts = false;
    while (next < cases.size() && clock_.Now() < end_ && missing_.empty()) {
      const size_t end =
          std::min(cases.size(), next + static_cast<size_t>(options_.cases_of_process));
      Child child(std::span<const GpuCase>(cases).subspan(next, end - next), options_.cases);
      const std::optional<Json> facts = child.Next(kStartSeconds);
      if (!facts || facts->Has("missing")) {
        missing_ = facts ? (*facts)["missing"].Text()
                         : "the driver took the process along: " + child.End();
        break;
      }
      if (!std::exchange(has_facts, true)) take_(*facts);
      next = RunIn(child, std::span<const GpuCase>(cases).first(end), next);
    }
    const std::string no_device = missing_;
    if (missing_.empty()) missing_ = cases.empty() ? "no such case" : "the time was over";
    for (; next < cases.size(); ++next) {
      Take(cases[next], Json::Object({{"outcome", "not run"}, {"message", missing_}}));
    }
    if (IsWanted("bench")) TakeRate();
    if (IsWanted("sanitizer")) Sanitize(cases, no_device);
    take_(summary_.Row());
    return summary_.ExitCode();
  }

 private:
  bool IsWanted(const std::string& group) const {
    return options_.groups.empty() || std::ranges::count(options_.groups, group) > 0;
  }

  // Cases a second of the schedules that ran, including loading, verifying and timing.
  void TakeRate() {
    Json row = Json::Object({{"group", "rate"}, {"name", "verified and timed"}});
    if (trials_ == 0) {
      row.Set("outcome", "not run");
      row.Set("message", missing_);
    } else {
      row.Set("outcome", "ok");
      row.Set("trials", trials_);
      row.Set("seconds", trial_seconds_);
      row.Set("trials_per_second", static_cast<double>(trials_) / trial_seconds_);
    }
    take_(row);
  }

  void Sanitize(const std::vector<GpuCase>& cases, std::string no_device) {
    // No case has opened the device.
    if (cases.empty()) no_device = MissingDevice();
    RunSanitizer(
        options_.sanitizer, no_device, [this] { return end_ - clock_.Now(); },
        [this](const Json& row) {
          summary_.Count(row);
          take_(row);
        });
  }

  // Why no kernel can run here; "" where one can.
  std::string MissingDevice() {
    Child child({}, options_.cases);
    const std::optional<Json> facts = child.Next(kStartSeconds);
    if (!facts) return "the driver took the process along: " + child.End();
    if (facts->Has("missing")) return (*facts)["missing"].Text();
    take_(*facts);
    return "";
  }

  // Until the child ends or time does; the first case that has no row.
  size_t RunIn(Child& child, std::span<const GpuCase> cases, size_t next) {
    while (next < cases.size() && clock_.Now() < end_) {
      const double begin = clock_.Now();
      const double most = SecondsOf(cases[next]);
      if (const std::optional<Json> row = child.Next(most)) {
        if (cases[next].group == "bench" || cases[next].group == "best") {
          ++trials_;
          trial_seconds_ += clock_.Now() - begin;
        }
        Take(cases[next++], *row);
        if (IsFatal((*row)["outcome"].Text())) return next;
        continue;
      }
      const bool is_late = clock_.Now() - begin >= most;
      const std::string ended = child.End();
      Take(cases[next++],
           Json::Object({{"outcome", is_late ? "run_timeout" : "run_signal"},
                         {"message", is_late ? "took too long" : "its process ended: " + ended}}));
      return next;
    }
    return next;
  }

  double SecondsOf(const GpuCase& one) const {
    const bool tells_apart = one.group == "equal" || one.group == "planted";
    return options_.case_seconds * (tells_apart ? kTellApartFactor : 1);
  }

  static bool IsFatal(const std::string& outcome) {
    return outcome == "run_signal" || outcome == "device_lost";
  }

  void Take(const GpuCase& one, const Json& row) {
    Json whole =
        Json::Object({{"group", one.group}, {"name", one.name}, {"schedule", int64_t{one.number}}});
    if (!one.peer.empty()) whole.Set("peer", one.peer);
    for (const JsonMember& member : row.members()) whole.Set(member.name, member.value);
    summary_.Note(one, whole);
    take_(whole);
  }

  const BundleRunOptions& options_;
  const std::function<void(const Json&)>& take_;
  SteadyClock clock_;
  double end_;
  std::string missing_;  // why no further case runs
  int64_t trials_ = 0;   // of the group bench
  double trial_seconds_ = 0;
  Summary summary_;
};

}  // namespace

int RunBundle(const std::vector<std::string>& files, const BundleRunOptions& options,
              const std::function<void(const Json&)>& take) {
  std::vector<GpuCase> cases;
  for (const std::string& file : files) {
    std::optional<GpuCase> one = ReadCase(file);
    if (!one) {
      take(Json::Object({{"group", "bundle"},
                         {"outcome", "not run"},
                         {"message", file + " is no case of this version"}}));
      continue;
    }
    const bool is_wanted = options.groups.empty()
                               ? one->group != kFaultyGroup
                               : std::ranges::count(options.groups, one->group) > 0;
    const bool has_room = options.first == 0 || std::ssize(cases) < options.first;
    if (is_wanted && has_room) cases.push_back(*std::move(one));
  }
  return BundleRun(options, take).Run(cases);
}

}  // namespace schedulegym
