// Writers killed at random moments. SCHEDULEGYM_KILLS sets how many (default 30).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "env/base/clock.h"
#include "env/base/rng.h"
#include "env/measure/store/record_store.h"
#include "env/measure/store/store_report.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

constexpr size_t kIdSize = 32;
constexpr int kFullCheckEvery = 50;

int Kills() {
  const char* text = std::getenv("SCHEDULEGYM_KILLS");
  return text == nullptr ? 30 : std::atoi(text);
}

// Runs in a child: appends batches and writes the ids of each to the pipe once it is acknowledged.
[[noreturn]] void AppendForEver(const std::string& path, int run, int pipe) {
  const auto store = OpenStore(path, StoreMode::kWrite);
  for (int batch = 0;; ++batch) {
    std::vector<Record> records;
    std::string ids;
    for (int i = 0; i <= batch % 4; ++i) {
      Record record = SampleRecord(SampleTask(1 + batch % 3), batch * 4 + i,
                                   i == 3 ? SampleFailure() : SampleOfSession(1 + i, batch));
      record.seed = static_cast<uint64_t>(run);
      record.id = RecordId(record);
      ids += record.id;
      records.push_back(std::move(record));
    }
    store->Append(records);
    if (write(pipe, ids.data(), ids.size()) != static_cast<ssize_t>(ids.size())) _exit(1);
  }
}

// Returns the child's output until it is killed after `seconds`.
std::string ListenAndKill(pid_t child, int pipe, double seconds) {
  const SteadyClock clock;
  const double end = clock.Now() + seconds;
  std::string heard;
  const auto listen = [&] {
    char bytes[1 << 16];
    const ssize_t size = read(pipe, bytes, sizeof(bytes));
    if (size > 0) heard.append(bytes, static_cast<size_t>(size));
    return size > 0;
  };
  while (clock.Now() < end) {
    pollfd ready = {pipe, POLLIN, 0};
    if (poll(&ready, 1, 1) > 0 && !listen()) break;
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  while (listen()) continue;
  return heard;
}

TEST(StoreKillTest, WhatWasAcknowledgedIsThereAfterEveryKill) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("store.db");
  Rng rng(17);
  std::set<std::string> acknowledged;
  const auto expect_all = [&](int run) {
    std::set<std::string> missing = acknowledged;
    OpenStore(path, StoreMode::kRead)->ForEach([&](const Record& record) {
      missing.erase(record.id);
    });
    EXPECT_EQ(missing.size(), 0u) << "after kill " << run;
    const StoreCheck check = CheckStore(path);
    EXPECT_EQ(check.faults, 0) << "after kill " << run << ": "
                               << (check.lines.empty() ? "" : check.lines[0]);
  };
  const int kills = Kills();
  for (int run = 0; run < kills; ++run) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      AppendForEver(path, run, ends[1]);
    }
    close(ends[1]);
    const double seconds = 1e-3 * static_cast<double>(5 + rng.Below(100));
    const std::string heard = ListenAndKill(child, ends[0], seconds);
    close(ends[0]);
    std::vector<std::string> fresh;
    for (size_t i = 0; i + kIdSize <= heard.size(); i += kIdSize) {
      fresh.push_back(heard.substr(i, kIdSize));
    }
    acknowledged.insert(fresh.begin(), fresh.end());
    if (!std::filesystem::exists(path) || std::filesystem::file_size(path) == 0) continue;
    if (run % kFullCheckEvery == kFullCheckEvery - 1) {
      expect_all(run);
    } else if (!fresh.empty()) {
      EXPECT_NE(OpenStore(path, StoreMode::kRead)->ById(fresh.back()), std::nullopt) << run;
    }
  }
  expect_all(kills);
  std::printf("%d kills, %zu records acknowledged\n", kills, acknowledged.size());
  EXPECT_GT(acknowledged.size(), static_cast<size_t>(kills));
}

}  // namespace
}  // namespace schedulegym
