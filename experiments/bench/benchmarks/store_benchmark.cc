// Times the record store at a million records: the best of a task, a cold open, an acknowledgement.
// usage: store_benchmark [RECORDS [FOLDER]] Records are of 200 tasks with 40 samples and a trace of
// a tiled product's length. Cold means that the file left the page cache (POSIX_FADV_DONTNEED).
// Prints median, 99th percentile and maximum in milliseconds.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "env/base/clock.h"
#include "env/base/rng.h"
#include "env/base/text.h"
#include "env/measure/store/record_store.h"
#include "env/measure/store/store_report.h"

namespace schedulegym {
namespace {

constexpr int kTasks = 200;
constexpr int kSamples = 40;

// As long as a tiled matmul's.
std::string SomeTrace(Rng& rng) {
  std::string trace = "trace 1\n";
  for (int i = 0; i < 12; ++i) {
    trace += "split(stage=C, loop=" + std::to_string(i) + ", lengths=[" +
             std::to_string(rng.Below(64)) + ", " + std::to_string(rng.Below(64)) + "])\n";
  }
  return trace;
}

std::vector<float> SomeSamples(Rng& rng) {
  std::vector<float> samples;
  for (int i = 0; i < kSamples; ++i) samples.push_back(static_cast<float>(rng.Uniform()));
  return samples;
}

class Filler {
 public:
  Filler() {
    for (uint64_t i = 0; i < kTasks; ++i) {
      const std::string size = std::to_string(i);
      tasks_.push_back(std::make_shared<const TaskInfo>(
          TaskInfo{Key{i, ~i}, "matmul(m=" + size + ")", "input A[" + size + "]\n", "llvm"}));
    }
    session_ = std::make_shared<const MeasuringSession>(
        MeasuringSession{"0123456789abcdef0123456789abcdef", "cpu1", "B", "llvm 19"});
  }

  const Key& Task(int i) const { return tasks_[i]->key; }

  Record Next() {
    Record record;
    record.task = tasks_[rng_.Below(kTasks)];
    record.trace = SomeTrace(rng_);
    record.state_key = {rng_.Next(), rng_.Next()};
    record.agent = "random";
    record.index = count_++;
    record.host = "box";
    record.started = 1.7e9 + static_cast<double>(count_);
    Measurement& measurement = record.measurement;
    measurement.session = session_;
    measurement.sequence = count_;
    measurement.outcome = rng_.Chance(0.9) ? Outcome::kOk : Outcome::kRunTimeout;
    if (measurement.ok()) {
      Timing timing;
      const double ratio = 0.1 + rng_.Uniform();
      timing.seconds = 1e-3 / ratio;
      timing.ratio = {ratio, 0.99 * ratio, 1.01 * ratio};
      timing.samples = SomeSamples(rng_);
      timing.reference_samples = SomeSamples(rng_);
      measurement.timing = timing;
    }
    record.id = RecordId(record);
    return record;
  }

 private:
  Rng rng_{5};
  std::vector<std::shared_ptr<const TaskInfo>> tasks_;
  std::shared_ptr<const MeasuringSession> session_;
  int64_t count_ = 0;
};

// Milliseconds of each call.
std::vector<double> Time(int count, const std::function<void(int)>& call) {
  const SteadyClock clock;
  std::vector<double> milliseconds;
  for (int i = 0; i < count; ++i) {
    const double begin = clock.Now();
    call(i);
    milliseconds.push_back((clock.Now() - begin) * 1e3);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  return milliseconds;
}

void Print(const char* what, const std::vector<double>& sorted) {
  std::printf("%-44s median %9.3f ms, p99 %9.3f ms, most %9.3f ms\n", what,
              sorted[sorted.size() / 2], sorted[sorted.size() * 99 / 100], sorted.back());
  std::fflush(stdout);
}

// The file leaves the system's cache, as after a restart.
void ForgetCache(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  fsync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
}

void Fill(const std::string& path, int64_t count, Filler& filler) {
  const SteadyClock clock;
  const double begin = clock.Now();
  const auto store = OpenStore(path, StoreMode::kWrite);
  for (int64_t done = 0; done < count;) {
    std::vector<Record> batch;
    for (; batch.size() < 4096 && done < count; ++done) batch.push_back(filler.Next());
    store->Append(batch);
  }
  std::printf("filled with %lld records in %.1f s\n", static_cast<long long>(count),
              clock.Now() - begin);
}

void Measure(const std::string& path, Filler& filler) {
  Print("cold open and best of a task", Time(5, [&](int i) {
          ForgetCache(path);
          OpenStore(path, StoreMode::kRead)->Best(filler.Task(i));
        }));
  Print("cold open for writing", Time(5, [&](int) {
          ForgetCache(path);
          OpenStore(path, StoreMode::kWrite);
        }));
  {
    const auto store = OpenStore(path, StoreMode::kRead);
    Print("best of a task", Time(kTasks * 5, [&](int i) { store->Best(filler.Task(i % kTasks)); }));
    Print("best of each of 200 tasks", Time(5, [&](int) { store->BestOfEach(); }));
    Print("all of a task (a resumed search)",
          Time(10, [&](int i) { store->ForTask(filler.Task(i)); }));
  }
  const auto store = OpenStore(path, StoreMode::kWrite);
  for (size_t size : {1, 16, 64}) {
    std::vector<std::vector<Record>> batches(200);
    for (auto& batch : batches) {
      while (batch.size() < size) batch.push_back(filler.Next());
    }
    Print(("append and acknowledge " + std::to_string(size)).c_str(),
          Time(200, [&](int i) { store->Append(batches[i]); }));
  }
}

int Main(int argc, char** argv) {
  const int64_t count = argc > 1 ? ParseInteger(argv[1]).value_or(0) : 1'000'000;
  std::string folder =
      std::string(argc > 2 ? argv[2] : std::filesystem::temp_directory_path().c_str()) +
      "/schedulegym-store-XXXXXX";
  if (count < kTasks || mkdtemp(folder.data()) == nullptr) {
    std::fprintf(stderr, "usage: store_benchmark [RECORDS [FOLDER]]\n");
    return 2;
  }
  const std::string path = folder + "/store.db";
  Filler filler;
  Fill(path, count, filler);
  std::printf("%.2f GB\n", static_cast<double>(std::filesystem::file_size(path)) * 1e-9);
  Measure(path, filler);
  Print("full check", Time(1, [&](int) { CheckStore(path); }));
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::Main(argc, argv); }
