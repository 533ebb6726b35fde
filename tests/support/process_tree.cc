#include "tests/support/process_tree.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace schedulegym {
namespace {

struct Stat {
  char state = 'X';
  pid_t parent = 0;
};

std::string FolderOf(pid_t process) { return "/proc/" + std::to_string(process); }

// A name may contain parentheses and blanks.
std::optional<Stat> StatOf(pid_t process) {
  std::ifstream file(FolderOf(process) + "/stat");
  std::string text;
  if (!std::getline(file, text) || text.rfind(')') == std::string::npos) return std::nullopt;
  Stat stat;
  stat.state = text.at(text.rfind(')') + 2);
  stat.parent = std::atoi(text.c_str() + text.rfind(')') + 4);
  return stat;
}

}  // namespace

std::vector<pid_t> ChildrenOf(pid_t process) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t candidate = std::atoi(entry.path().filename().c_str());
    const std::optional<Stat> stat = candidate > 0 ? StatOf(candidate) : std::nullopt;
    if (stat && stat->parent == process) children.push_back(candidate);
  }
  return children;
}

std::vector<pid_t> DescendantsOf(pid_t process) {
  std::vector<pid_t> found = ChildrenOf(process);
  for (size_t i = 0; i < found.size(); ++i) {
    for (pid_t child : ChildrenOf(found[i])) found.push_back(child);
  }
  return found;
}

std::string CommandOf(pid_t process) {
  std::ifstream file(FolderOf(process) + "/cmdline");
  std::string words;
  for (std::string word; std::getline(file, word, '\0');) words += word + " ";
  return words;
}

bool IsRunning(pid_t process) {
  const std::optional<Stat> stat = StatOf(process);
  return stat && stat->state != 'Z' && stat->state != 'X';
}

TreeFacts FactsOfTree(pid_t process) {
  TreeFacts facts;
  std::vector<pid_t> all = DescendantsOf(process);
  all.push_back(process);
  for (pid_t one : all) {
    const std::optional<Stat> stat = StatOf(one);
    if (!stat) continue;
    ++facts.processes;
    if (stat->state == 'Z') ++facts.zombies;
    std::error_code gone;
    for (std::filesystem::directory_iterator file(FolderOf(one) + "/fd", gone), end;
         !gone && file != end; file.increment(gone)) {
      ++facts.descriptors;
    }
    std::ifstream memory(FolderOf(one) + "/statm");
    double pages = 0, resident = 0;
    if (memory >> pages >> resident) facts.resident_bytes += resident * sysconf(_SC_PAGESIZE);
  }
  return facts;
}

}  // namespace schedulegym
