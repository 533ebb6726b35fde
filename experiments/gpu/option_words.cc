#include "experiments/gpu/option_words.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

std::string ExpectedText(std::span<const WordOption> options) {
  std::vector<std::string> pairs;
  for (const WordOption& one : options) pairs.push_back(one.name + " " + one.meaning);
  return Join(pairs, ", ");
}

}  // namespace

void CheckedOutput::Print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return;
  const int error = errno;
  if (error == EPIPE) {
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
  }
  if (std::exchange(is_lost_, true)) return;
  std::fprintf(stderr, "error: cannot write standard output: %s\n", std::strerror(error));
}

void ReadOptionWords(const std::vector<std::string>& words, std::span<const WordOption> options) {
  for (size_t i = 0; i < words.size(); i += 2) {
    const auto option = std::ranges::find(options, words[i], &WordOption::name);
    if (option == options.end()) {
      throw InputError("found '" + words[i] + "', expected some of " + ExpectedText(options));
    }
    if (i + 1 == words.size()) throw InputError(words[i] + ": expected a value");
    option->read(words[i + 1]);
  }
}

bool PrintedHelp(CheckedOutput& out, const std::string& usage,
                 const std::vector<std::string>& words, std::span<const WordOption> options) {
  const bool is_asked = std::ranges::any_of(
      words, [](const std::string& word) { return word == "-h" || word == "--help"; });
  if (!is_asked) return false;
  constexpr size_t kColumn = 22;
  std::string text = usage + "\n\n";
  for (const WordOption& one : options) {
    std::string name = one.name + " " + one.meaning;
    name.resize(std::max(name.size(), kColumn), ' ');
    text += "  " + name + one.about + "\n";
  }
  out.Print(text);
  return true;
}

std::vector<std::string> ListOf(const std::string& text) {
  std::vector<std::string> list;
  for (std::string_view rest = text; !rest.empty();) {
    const auto [entry, others] = Cut(rest, ',');
    if (!entry.empty()) list.emplace_back(entry);
    rest = others;
  }
  return list;
}

std::vector<std::string> ListOfKnown(const std::string& option, const std::string& text,
                                     const std::vector<std::string>& known) {
  std::vector<std::string> list = ListOf(text);
  if (list.empty()) list.emplace_back();  // is none of them
  for (const std::string& entry : list) {
    if (std::ranges::find(known, entry) != known.end()) continue;
    throw InputError(option + ": found '" + entry + "', expected some of " + Join(known, ", "));
  }
  return list;
}

int CountOf(const std::string& option, const std::string& text, int least) {
  constexpr int64_t kMost = 100'000;
  const auto number = ParseInteger(text);
  if (number && *number >= least && *number <= kMost) return static_cast<int>(*number);
  throw InputError(option + ": found '" + text + "', expected " + std::to_string(least) +
                   " to 100000");
}

double SecondsOf(const std::string& option, const std::string& text) {
  const auto number = ParseDouble(text);
  if (number && *number > 0) return *number;
  throw InputError(option + ": found '" + text + "', expected more than 0");
}

int RunWords(
    int argc, char** argv,
    const std::function<int(const std::vector<std::string>& words, CheckedOutput& out)>& run) {
  CheckedOutput out;
  try {
    const int code = run(std::vector<std::string>(argv + (argc > 0), argv + argc), out);
    return code == 0 && out.is_lost() ? 1 : code;
  } catch (const InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 3;
  }
}

}  // namespace schedulegym
