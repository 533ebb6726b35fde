// Splits a command into words without a shell: quotes '...' and "...", a backslash outside single
// quotes takes the next letter, blanks end a word; letters that mean something to a shell (| & ; <
// > ( ) $ ` * ? [ ] { } ~ # !) are refused outside quotes. The program is found in PATH, or in the
// folder by ./NAME; python3 is the interpreter of SCHEDULEGYM_PYTHON or PATH. Cost: O(length).
#include "assembly/processes/command_arguments.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr std::string_view kBlanks = " \t\n";
constexpr std::string_view kOfShells = "|&;<>()$`*?[]{}~#!";

[[noreturn]] void Refuse(const std::string& command, const std::string& why) {
  throw InputError("command '" + command + "': " + why);
}

class Splitter {
 public:
  explicit Splitter(const std::string& command) : command_(command) {}

  std::vector<std::string> Split() {
    while (at_ < command_.size()) TakeOne(command_[at_++]);
    if (quote_ != 0) Refuse(command_, std::string("found no second ") + quote_);
    EndWord();
    return std::move(words_);
  }

 private:
  void TakeOne(char letter) {
    if (quote_ != 0 && letter == quote_) {
      quote_ = 0;
    } else if (letter == '\\' && quote_ != '\'') {
      if (at_ == command_.size()) Refuse(command_, "found nothing after the last backslash");
      Add(command_[at_++]);
    } else if (quote_ != 0) {
      Add(letter);
    } else if (letter == '\'' || letter == '"') {
      quote_ = letter;
      if (!word_) word_.emplace();
    } else if (kBlanks.find(letter) != std::string_view::npos) {
      EndWord();
    } else if (kOfShells.find(letter) != std::string_view::npos) {
      Refuse(command_, std::string("found ") + letter +
                           ", expected a program and its words: there is no shell");
    } else {
      Add(letter);
    }
  }

  void Add(char letter) {
    if (!word_) word_.emplace();
    word_->push_back(letter);
  }

  void EndWord() {
    if (word_) words_.push_back(*std::move(word_));
    word_.reset();
  }

  const std::string& command_;
  size_t at_ = 0;
  char quote_ = 0;
  std::optional<std::string> word_;
  std::vector<std::string> words_;
};

std::optional<std::string> PathOf(const std::string& program, const std::string& folder) {
  if (program == "python3" || program == "python") return FindPython();
  if (program.find('/') == std::string::npos) return FindInPath(program);
  const std::string file = (std::filesystem::path(folder) / program).string();
  return access(file.c_str(), X_OK) == 0 ? std::optional(file) : std::nullopt;
}

}  // namespace

std::string QuotedForShell(const std::string& word) {
  std::string quoted = "'";
  for (const char letter : word) letter == '\'' ? quoted += "'\\''" : quoted += letter;
  return quoted + "'";
}

std::string ReplacingShell(const std::string& command) {
  try {
    const std::string program = Splitter(command).Split().at(0);
    const bool is_program =
        program.find('/') != std::string::npos || FindInPath(program).has_value();
    const bool is_assignment = program.find('=') != std::string::npos;
    return is_program && !is_assignment ? "exec " + command : command;
  } catch (const std::exception&) {  // no such command; the process reports it
    return command;
  }
}

std::vector<std::string> ArgumentsOfCommand(const std::string& command, const std::string& folder) {
  std::vector<std::string> words = Splitter(command).Split();
  if (words.empty()) Refuse(command, "found no word, expected a program");
  const std::optional<std::string> program = PathOf(words[0], folder);
  if (!program) {
    Refuse(command,
           "found no program '" + words[0] + "', expected one in PATH, or in the folder as ./NAME");
  }
  words[0] = *program;
  return words;
}

std::optional<std::string> FindInPath(const std::string& program) {
  const std::string folders = FindVariable("PATH").value_or("");
  for (std::string_view path = folders; !path.empty();) {
    const size_t end = std::min(path.find(':'), path.size());
    const std::string candidate = std::string(path.substr(0, end)) + "/" + program;
    std::error_code unknown;
    const bool is_folder = std::filesystem::is_directory(candidate, unknown);
    if (!is_folder && access(candidate.c_str(), X_OK) == 0) return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return std::nullopt;
}

std::string FindPython() {
  if (const auto given = FindVariable("SCHEDULEGYM_PYTHON")) {
    const std::string& python = *given;
    if (python.find('/') == std::string::npos) return python;
    std::error_code unknown;
    const std::string file = std::filesystem::absolute(python, unknown).string();
    return unknown ? python : file;
  }
  const auto found = FindInPath("python3");
  if (!found) throw MachineError("no python3 in PATH: expected it there or in SCHEDULEGYM_PYTHON");
  return *found;
}

}  // namespace schedulegym
