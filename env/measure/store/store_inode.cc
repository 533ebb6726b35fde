// A table of the files that this process has open, by device and inode, with counts of their uses.
// It exists because POSIX locks end with the first descriptor of a file that is closed, whoever
// opened it: a second descriptor for our own lock would end those of SQLite. The writer's lock is
// flock(2), which belongs to the open file and ends with the process.
#include "env/measure/store/store_inode.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

namespace schedulegym {
namespace {

struct OpenFile {
  int descriptor = -1;
  int uses = 0;
  bool is_locked = false;
};

// The files of this process, and who may change the table.
struct OpenFiles {
  std::mutex mutex;
  std::map<StoreInode::Id, OpenFile> by_id;
};

// Never destroyed: stores that outlive `main` use it.
OpenFiles& Files() {
  static OpenFiles& files = *new OpenFiles;
  return files;
}

StoreInode::Id IdOf(const struct stat& facts) { return {facts.st_dev, facts.st_ino}; }

struct stat FactsOf(const StoreInode::Id& id) {
  OpenFiles& files = Files();
  const std::lock_guard lock(files.mutex);
  struct stat facts {};
  fstat(files.by_id.at(id).descriptor, &facts);
  return facts;
}

}  // namespace

StoreInode::StoreInode(const std::string& path) {
  OpenFiles& files = Files();
  const std::lock_guard lock(files.mutex);
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
  const auto known = files.by_id.find(IdOf(facts));
  if (known == files.by_id.end()) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return;
    fstat(descriptor, &facts);
    // If the name leads to another file by now, this second descriptor of that file stays open,
    // too.
    ++files.by_id.try_emplace(IdOf(facts), OpenFile{descriptor}).first->second.uses;
  } else {
    ++known->second.uses;
  }
  id_ = IdOf(facts);
}

StoreInode::~StoreInode() {
  if (!id_) return;
  OpenFiles& files = Files();
  const std::lock_guard lock(files.mutex);
  const auto file = files.by_id.find(*id_);
  if (--file->second.uses > 0) return;
  close(file->second.descriptor);
  files.by_id.erase(file);
}

StoreInode& StoreInode::operator=(StoreInode&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

bool StoreInode::Lock() {
  OpenFiles& files = Files();
  const std::lock_guard lock(files.mutex);
  OpenFile& file = files.by_id.at(*id_);
  if (file.is_locked || flock(file.descriptor, LOCK_EX | LOCK_NB) != 0) return false;
  file.is_locked = true;
  return true;
}

void StoreInode::Unlock() {
  OpenFiles& files = Files();
  const std::lock_guard lock(files.mutex);
  OpenFile& file = files.by_id.at(*id_);
  flock(file.descriptor, LOCK_UN);
  file.is_locked = false;
}

// A line of /proc/locks: "1: FLOCK  ADVISORY  WRITE 4711 fe:01:123456 0 EOF".
std::optional<int64_t> StoreInode::Holder() const {
  const struct stat facts = FactsOf(*id_);
  std::array<char, 64> wanted{};
  std::snprintf(wanted.data(), wanted.size(), "%02x:%02x:%llu", major(facts.st_dev),
                minor(facts.st_dev), static_cast<unsigned long long>(facts.st_ino));
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, rule, access, file;
    int64_t process = 0;
    words >> number >> kind >> rule >> access >> process >> file;
    if (words && kind == "FLOCK" && file == wanted.data() && process > 0) return process;
  }
  return std::nullopt;
}

int64_t StoreInode::links() const { return id_ ? static_cast<int64_t>(FactsOf(*id_).st_nlink) : 0; }

// The file format of SQLite: bytes 18 and 19 are 2 in the mode with a log.
bool StoreInode::HasLog() const {
  constexpr char kMagic[] = "SQLite format 3";
  std::array<char, 20> head{};
  OpenFiles& files = Files();
  const std::lock_guard lock(files.mutex);
  const ssize_t count = pread(files.by_id.at(*id_).descriptor, head.data(), head.size(), 0);
  return count == std::ssize(head) && std::memcmp(head.data(), kMagic, sizeof kMagic) == 0 &&
         (head[18] == 2 || head[19] == 2);
}

}  // namespace schedulegym
