// A store on disks that fail, fill up, or lose data that was not synced.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "env/base/fault.h"
#include "env/base/rng.h"
#include "env/measure/store/record_store.h"
#include "env/measure/store/store_report.h"
#include "tests/chaos/fault_vfs.h"
#include "tests/env/measure/record_samples.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;
using testing::IsSubsetOf;

constexpr int kAppends = 5;
constexpr const char* kVersion1 = SG_SOURCE_DIR "/tests/env/measure/data/store_v1.sqlite";

std::string ContentsOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> IdsIn(const std::string& path) {
  std::vector<std::string> ids;
  OpenStore(path, StoreMode::kRead)->ForEach([&](const Record& record) {
    ids.push_back(record.id);
  });
  return ids;
}

class StoreFaultTest : public testing::Test {
 protected:
  StoreFaultTest() {
    const auto store = OpenStore(path_, StoreMode::kWrite);
    std::vector<Record> records;
    for (int i = 0; i < 3; ++i) records.push_back(MakeRecord(i));
    store->Append(records);
    for (const Record& record : records) before_.push_back(record.id);
  }

  static Record MakeRecord(int i) {
    return SampleRecord(SampleTask(1), i, SampleOfSession(1 + i, i));
  }

  // Returns the ids that Append acknowledged before a fault, or all if no fault occurred.
  static std::vector<std::string> Append(const std::string& path, const FaultVfs& faults) {
    std::vector<std::string> acknowledged;
    try {
      const auto store = OpenStore(path, StoreMode::kWrite, {.vfs = faults.name()});
      for (int i = 0; i < kAppends; ++i) {
        const Record record = MakeRecord(100 + i);
        store->Append(std::vector<Record>{record});
        acknowledged.push_back(record.id);
      }
    } catch (const InputError&) {
    } catch (const MachineError&) {
    }
    return acknowledged;
  }

  // Checks that no acknowledged record is missing and that nothing is damaged.
  void ExpectWhole(const std::string& path, std::vector<std::string> ids, const std::string& when) {
    ids.insert(ids.end(), before_.begin(), before_.end());
    const StoreCheck check = CheckStore(path);
    EXPECT_EQ(check.faults, 0) << when << ": " << (check.lines.empty() ? "" : check.lines[0]);
    EXPECT_THAT(ids, IsSubsetOf(IdsIn(path))) << when;
    const auto store = OpenStore(path, StoreMode::kWrite);
    const Record next = MakeRecord(999);
    store->Append(std::vector<Record>{next});
    EXPECT_EQ(store->ById(next.id), next) << when << ": a new writer goes on";
  }

  // Fails each operation of a run in turn, until a run ends before its fault.
  int Sweep(FaultKind kind) {
    int number = 1;
    for (bool failed = true; failed; ++number) {
      const std::string copy = folder_.Path("copy-" + std::to_string(number) + ".db");
      fs::copy_file(path_, copy);
      FaultVfs faults;
      faults.FailAt(number, kind);
      const std::vector<std::string> acknowledged = Append(copy, faults);
      failed = faults.has_failed();
      if (!failed) {
        EXPECT_EQ(acknowledged.size(), size_t{kAppends});
      }
      ExpectWhole(copy, acknowledged, "operation " + std::to_string(number));
      fs::remove(copy);
    }
    return number;
  }

  // In memory: the tests depend on the order of operations, not on the disk.
  TemporaryFolder folder_{"/dev/shm"};
  std::string path_ = folder_.Path("store.db");
  std::vector<std::string> before_;
};

TEST_F(StoreFaultTest, EachAcknowledgementFollowsACompletedSync) {
  FaultVfs faults;
  const auto store = OpenStore(path_, StoreMode::kWrite, {.vfs = faults.name()});
  size_t seen = faults.operations().size();
  for (int i = 0; i < 50; ++i) {
    store->Append(std::vector<Record>{MakeRecord(100 + i)});
    const auto& all = faults.operations();
    const auto is = [](FileOperation::Kind kind) {
      return [kind](const FileOperation& operation) {
        return operation.kind == kind && operation.path.ends_with("-wal");
      };
    };
    const auto begin = all.begin() + static_cast<int64_t>(seen);
    ASSERT_TRUE(std::any_of(begin, all.end(), is(FileOperation::Kind::kWrite))) << i;
    const auto write = std::find_if(all.rbegin(), all.rend(), is(FileOperation::Kind::kWrite));
    const auto sync = std::find_if(all.rbegin(), all.rend(), is(FileOperation::Kind::kSync));
    EXPECT_LT(sync, write) << "the last write of the log comes before its last sync";
    seen = all.size();
  }
}

TEST_F(StoreFaultTest, OneFailedOperationLosesNothing) { EXPECT_GT(Sweep(FaultKind::kOnce), 40); }
TEST_F(StoreFaultTest, ADiskThatIsGoneLosesNothing) { EXPECT_GT(Sweep(FaultKind::kFromThen), 40); }
TEST_F(StoreFaultTest, AFullDiskLosesNothing) { EXPECT_GT(Sweep(FaultKind::kFull), 40); }
TEST_F(StoreFaultTest, ATornWriteLosesNothing) { EXPECT_GT(Sweep(FaultKind::kTorn), 40); }

// Cuts the power after each operation of a run. Operations that were not synced are lost, kept, or
// kept at random.
TEST_F(StoreFaultTest, APowerCutLosesNothingThatWasAcknowledged) {
  const std::string before = ContentsOf(path_);
  FaultVfs faults;
  std::vector<std::pair<size_t, std::string>> acknowledged;  // number of operations, id
  {
    const auto store = OpenStore(path_, StoreMode::kWrite, {.vfs = faults.name()});
    for (int i = 0; i < kAppends; ++i) {
      const Record record = MakeRecord(100 + i);
      store->Append(std::vector<Record>{record});
      acknowledged.emplace_back(faults.operations().size(), record.id);
    }
  }
  Rng rng(3);
  const std::vector<std::function<bool(const FileOperation&)>> survivals = {
      [](const FileOperation&) { return false; }, [](const FileOperation&) { return true; },
      [&](const FileOperation&) { return rng.Below(2) == 0; }};
  for (size_t count = 0; count <= faults.operations().size(); ++count) {
    std::vector<std::string> ids;
    for (const auto& [operations, id] : acknowledged) {
      if (operations <= count) ids.push_back(id);
    }
    for (const auto& keeps : survivals) {
      const auto files = AfterPowerCut(faults.operations(), count, {{path_, before}}, keeps);
      for (const auto& entry : fs::directory_iterator(fs::path(path_).parent_path())) {
        fs::remove(entry);
      }
      for (const auto& [path, contents] : files) std::ofstream(path, std::ios::binary) << contents;
      ExpectWhole(path_, ids, "after " + std::to_string(count) + " operations");
    }
  }
}

// An unfinished file is not yet a store; a new writer starts again.
TEST_F(StoreFaultTest, AFailedBeginningIsBegunAgain) {
  before_.clear();
  bool failed = true;
  for (int number = 1; failed; ++number) {
    const std::string fresh = folder_.Path("fresh-" + std::to_string(number) + ".db");
    FaultVfs faults;
    faults.FailAt(number, FaultKind::kTorn);
    const std::vector<std::string> acknowledged = Append(fresh, faults);
    failed = faults.has_failed();
    OpenStore(fresh, StoreMode::kWrite);
    ExpectWhole(fresh, acknowledged, "operation " + std::to_string(number));
  }
}

// An old store is either unchanged or migrated; its records are there in any case. Each kind of
// fault hits every third operation.
TEST_F(StoreFaultTest, AFailedMigrationLosesNothing) {
  const std::vector<std::string> ids = IdsIn(kVersion1);
  before_.clear();
  int first = 1;
  for (FaultKind kind : {FaultKind::kFromThen, FaultKind::kFull, FaultKind::kTorn}) {
    bool failed = true;
    for (int number = first++; failed; number += 3) {
      const TemporaryFolder folder("/dev/shm");
      const std::string copy = folder.Path("old.db");
      fs::copy_file(kVersion1, copy);
      FaultVfs faults;
      faults.FailAt(number, kind);
      const std::vector<std::string> acknowledged = Append(copy, faults);
      failed = faults.has_failed();
      std::vector<std::string> expected = ids;
      expected.insert(expected.end(), acknowledged.begin(), acknowledged.end());
      ExpectWhole(copy, expected, "operation " + std::to_string(number));
    }
  }
}

}  // namespace
}  // namespace schedulegym
