// OptionWords: the words of a small program, pairs `--option value`, read by one parser.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace schedulegym {

// Standard output. Each write is flushed and checked: the first that is lost is one line on stderr.
// A closed pipe ends the program at once and in silence, as SIGPIPE does.
class CheckedOutput {
 public:
  void Print(const std::string& text);
  bool is_lost() const { return is_lost_; }

 private:
  bool is_lost_ = false;
};

struct WordOption {
  std::string name;     // "--only"
  std::string meaning;  // "GROUP,..."
  std::string about;    // for --help
  std::function<void(const std::string& value)> read;
};

// Reads each pair of option and value. Throws InputError for an unknown option, one without a
// value, and the errors of `read`.
void ReadOptionWords(const std::vector<std::string>& words, std::span<const WordOption> options);

// Whether the words contain `-h` or `--help`. The help is printed then, `usage` first.
bool PrintedHelp(CheckedOutput& out, const std::string& usage,
                 const std::vector<std::string>& words, std::span<const WordOption> options);

// A list with commas, without empty entries.
std::vector<std::string> ListOf(const std::string& text);
// The same, each of which is one of `known`. Throws InputError, which names the option.
std::vector<std::string> ListOfKnown(const std::string& option, const std::string& text,
                                     const std::vector<std::string>& known);
// `least` to 100,000. Throws InputError, which names the option.
int CountOf(const std::string& option, const std::string& text, int least = 0);
// Above 0. Throws InputError, which names the option.
double SecondsOf(const std::string& option, const std::string& text);

// A program's exit code: that of `run`, or 1 in place of 0 where output was lost; else 2 after
// InputError and 3 after others, which are printed. `run` is given the words after the program's
// name.
int RunWords(
    int argc, char** argv,
    const std::function<int(const std::vector<std::string>& words, CheckedOutput& out)>& run);

}  // namespace schedulegym
