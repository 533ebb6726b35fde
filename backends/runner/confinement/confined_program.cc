#include "backends/runner/confinement/confined_program.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr size_t kFirstPath = 4;
constexpr char kFolder = 'd';
constexpr const char* kStarts = "p";

// The letter of each list of files.
std::vector<std::pair<char, std::vector<std::string> FileRights::*>> Kinds() {
  return {{'r', &FileRights::reads},
          {'l', &FileRights::lists},
          {'h', &FileRights::hidden},
          {'w', &FileRights::writes}};
}

[[noreturn]] void Refuse(const std::string& word) {
  throw InputError("found '" + word + "': expected to be started by schedulegym, not by hand");
}

int64_t NumberOf(const std::string& word) {
  int64_t number = 0;
  const char* end = word.data() + word.size();
  const auto [read, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || read != end || number < 0) Refuse(word);
  return number;
}

void AddRight(const std::string& word, ConfinedProgram& program) {
  for (const auto& [letter, paths] : Kinds()) {
    if (word.empty() || word[0] != letter) continue;
    (program.files.*paths).push_back(word.substr(1));
    return;
  }
  if (word == kStarts) {
    program.starts_programs = true;
  } else if (!word.empty() && word[0] == kFolder) {
    program.folder = word.substr(1);
  } else {
    Refuse(word);
  }
}

}  // namespace

std::vector<std::string> WordsOf(const ConfinedProgram& program, int parent) {
  std::vector<std::string> words = {"schedulegym-confined", std::to_string(parent),
                                    std::to_string(program.memory_bytes),
                                    std::to_string(program.cpu_seconds)};
  for (const auto& [letter, paths] : Kinds()) {
    for (const std::string& path : program.files.*paths) words.push_back(letter + path);
  }
  if (!program.folder.empty()) words.push_back(kFolder + program.folder);
  if (program.starts_programs) words.emplace_back(kStarts);
  words.emplace_back("--");
  words.insert(words.end(), program.words.begin(), program.words.end());
  return words;
}

ChildProgram ProgramOf(const std::vector<std::string>& words) {
  if (words.size() < kFirstPath + 2) Refuse(words.empty() ? "" : words.back());
  ChildProgram child;
  child.parent = static_cast<int>(NumberOf(words[1]));
  child.program.memory_bytes = NumberOf(words[2]);
  child.program.cpu_seconds = NumberOf(words[3]);
  size_t next = kFirstPath;
  for (; next < words.size() && words[next] != "--"; ++next) {
    AddRight(words[next], child.program);
  }
  for (++next; next < words.size(); ++next) child.program.words.push_back(words[next]);
  if (child.program.words.empty()) Refuse(words.back());
  return child;
}

bool LimitResource(int resource, int64_t value, int64_t grace) {
  const auto which = static_cast<__rlimit_resource>(resource);
  rlimit now = {};
  if (getrlimit(which, &now) != 0) return false;
  const rlimit limit = {std::min(static_cast<rlim_t>(value), now.rlim_max),
                        std::min(static_cast<rlim_t>(value + grace), now.rlim_max)};
  return setrlimit(which, &limit) == 0;
}

}  // namespace schedulegym
