#include "tests/fuzz/files/file_fuzz.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "tests/fuzz/files/foreign_text.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostDiagnostics = 64;
constexpr const char* kThrew = "threw";  // in place of a refusal

// Results that children write, in memory that outlives them.
struct Shared {
  uint64_t seed;  // of the current file
  int64_t past_header, accepted, wrong, slow, large, unclear;
  double worst_seconds;
  int64_t worst_bytes;
  int64_t diagnostics;
  char lines[kMostDiagnostics][400];
};

// Memory shared by this process and its children.
class SharedPage {
 public:
  SharedPage()
      : memory_(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0)) {
    if (memory_ == MAP_FAILED) throw MachineError("no shared memory");
  }
  ~SharedPage() { munmap(memory_, sizeof(Shared)); }
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;

  Shared& operator*() const { return *static_cast<Shared*>(memory_); }
  Shared* operator->() const { return static_cast<Shared*>(memory_); }

 private:
  void* memory_;
};

class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& name)
      : path_(fs::temp_directory_path() /
              ("schedulegym-fuzz-" + name + "-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string File(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

// The peak of this process's memory since ResetPeak, from /proc/self/status; 0 if missing there.
int64_t PeakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stoll(line.substr(6)) * 1024;
  }
  return 0;
}

void ResetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

double ProcessorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class Fuzzer {
 public:
  Fuzzer(const FileTarget& target, const FileFuzzOptions& options)
      : options_(options), target_(target), scratch_("files-" + target.kind) {
    SG_CHECK(!target_.seeds.empty(), "a kind has valid files");
  }

  FileFuzzReport Run(const ProgressCallback& watch) {
    uint64_t next = options_.seed;
    const uint64_t end = options_.seed + static_cast<uint64_t>(options_.count);
    while (next < end &&
           GoesOn(watch, static_cast<int64_t>(next - options_.seed), options_.count)) {
      next = RunChild(next, std::min(end, next + kFilesOfAChild));
    }
    return Report(static_cast<int64_t>(next - options_.seed));
  }

 private:
  // A child grows over many files, which would hide the need of a single one.
  static constexpr uint64_t kFilesOfAChild = 2000;

  // Reads the files of the seeds in a child. Returns the next seed.
  uint64_t RunChild(uint64_t first, uint64_t end) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) throw MachineError(std::string("cannot fork: ") + std::strerror(errno));
    if (child == 0) {
      for (uint64_t seed = first; seed < end; ++seed) ReadOne(seed);
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return end;
    const uint64_t seed = shared_->seed;
    ++crashes_;
    Keep(seed, FileOf(seed),
         WIFSIGNALED(status) ? std::string("ended by ") + strsignal(WTERMSIG(status))
                             : "exit code " + std::to_string(WEXITSTATUS(status)));
    return seed + 1;
  }

  std::string FileOf(uint64_t seed) const {
    Rng rng(seed);
    std::string file = target_.change(target_.seeds, rng);
    return options_.foreign ? WithForeignBytes(std::move(file), rng) : file;
  }

  void ReadOne(uint64_t seed) {
    shared_->seed = seed;
    alarm(static_cast<unsigned>(options_.hang_seconds));
    const std::string bytes = FileOf(seed);
    const Cost cost = ReadTimed(seed, bytes);
    shared_->worst_bytes = std::max(shared_->worst_bytes, cost.bytes);
    if (cost.bytes > options_.most_bytes) {
      ++shared_->large;
      Keep(seed, bytes, "needed " + std::to_string(cost.bytes >> 20) + " MiB");
    }
    shared_->worst_seconds = std::max(shared_->worst_seconds, cost.seconds);
    if (cost.seconds <= options_.most_seconds) return;
    ++shared_->slow;
    Keep(seed, bytes, "took " + std::to_string(cost.seconds) + " s");
  }

  struct Cost {
    double seconds = 0;
    int64_t bytes = 0;
  };

  Cost ReadTimed(uint64_t seed, const std::string& bytes) {
    const std::string path = scratch_.File("file" + target_.suffix);
    std::ofstream(path, std::ios::binary) << bytes;
    ResetPeak();
    const int64_t before = PeakBytes();
    const double begin = ProcessorSeconds();
    Reading reading;
    try {
      reading = target_.read(path);
    } catch (const std::exception& error) {
      reading.refusal = kThrew;
      ++shared_->wrong;
      Keep(seed, bytes, std::string("threw: ") + error.what());
    }
    CheckMessage(seed, bytes, reading);
    shared_->past_header += reading.past_header;
    shared_->accepted += reading.accepted;
    return {ProcessorSeconds() - begin, PeakBytes() - before};
  }

  void CheckMessage(uint64_t seed, const std::string& bytes, const Reading& reading) {
    if (!options_.foreign || reading.accepted || reading.refusal == kThrew) return;
    const std::string fault = FaultOfMessage(bytes, reading.refusal);
    if (fault.empty()) return;
    ++shared_->unclear;
    Keep(seed, bytes, fault);
  }

  // Writes the file to the folder.
  void Keep(uint64_t seed, const std::string& bytes, const std::string& what) {
    const std::string file =
        options_.folder + "/fuzz-" + target_.kind + "-" + std::to_string(seed) + target_.suffix;
    std::ofstream(file, std::ios::binary) << bytes;
    const int64_t number = shared_->diagnostics++;
    if (number >= static_cast<int64_t>(kMostDiagnostics)) return;
    std::snprintf(shared_->lines[number], sizeof shared_->lines[number], "%s: seed %llu: %s",
                  file.c_str(), static_cast<unsigned long long>(seed), what.c_str());
  }

  FileFuzzReport Report(int64_t files) const {
    FileFuzzReport report;
    report.files = files;
    report.past_header = shared_->past_header;
    report.accepted = shared_->accepted;
    report.crashes = crashes_ + shared_->wrong;
    report.slow = shared_->slow;
    report.large = shared_->large;
    report.unclear = shared_->unclear;
    report.foreign = options_.foreign;
    report.worst_seconds = shared_->worst_seconds;
    report.worst_bytes = shared_->worst_bytes;
    const int64_t kept = std::min<int64_t>(shared_->diagnostics, kMostDiagnostics);
    for (int64_t i = 0; i < kept; ++i) report.diagnostics.emplace_back(shared_->lines[i]);
    return report;
  }

  const FileFuzzOptions& options_;
  const FileTarget& target_;
  ScratchFolder scratch_;
  SharedPage shared_;
  int64_t crashes_ = 0;
};

}  // namespace

FileFuzzReport FuzzFiles(const FileTarget& target, const FileFuzzOptions& options,
                         const ProgressCallback& watch) {
  return Fuzzer(target, options).Run(watch);
}

FileFuzzReport FuzzFiles(const std::string& kind, const FileFuzzOptions& options,
                         const ProgressCallback& watch) {
  const ScratchFolder scratch("seeds-" + kind);
  return FuzzFiles(MakeFileTarget(kind, scratch.path()), options, watch);
}

}  // namespace schedulegym
