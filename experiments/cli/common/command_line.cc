// From words to an exit code: finds the command, reads its options and the common ones (CLI11),
// runs it and turns exceptions into exit codes: InputError and MachineError their own, running out
// of memory counts as the machine, all else as a bug. --json and --quiet are looked for before
// options are read, so that faults in options are reported in that form. Before the command runs,
// names of files are checked: none is empty, and no two outputs, and no output and a file of the
// store, are one file (the same device and inode, or the same path once links are followed).
#include "experiments/cli/common/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "assembly/options/option_text.h"
#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/measure/store/store_file.h"

namespace schedulegym {
namespace {

constexpr const char* kVersion = "schedulegym 0.1.0";

bool Holds(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Help that was asked for: text for stdout, no fault.
struct HelpRequest {
  std::string text;
};

std::string OverallHelp(const std::vector<std::unique_ptr<Command>>& commands) {
  std::string text =
      "Schedules tensor programs on real hardware, by search.\n\n"
      "usage: schedulegym COMMAND [OPTION]...\n\ncommands:\n";
  for (const auto& command : commands) {
    std::string name = command->name();
    name.resize(std::max<size_t>(name.size(), 10), ' ');
    text += "  " + name + " " + command->help() + "\n";
  }
  return text +
         "\nschedulegym COMMAND --help tells a command's options.\n"
         "example: schedulegym tune \"matmul(m=512,n=512,k=512)\" --trials 200\n";
}

std::vector<std::string> Names(const std::vector<std::unique_ptr<Command>>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command->name());
  return names;
}

Command& FindCommand(const std::vector<std::unique_ptr<Command>>& commands,
                     const std::string& name) {
  for (const auto& command : commands) {
    if (command->name() == name) return *command;
  }
  throw InputError(UnknownName("command", name, Names(commands)));
}

void DeclareCommon(CLI::App& app, CommonOptions& options) {
  app.add_option("--target", options.target,
                 "the machine: llvm, llvm(cores=1), interpreter, opencl, cuda(card=a100), ..., see "
                 "list targets (default llvm)")
      ->type_name("SPEC");
  app.add_option("--seed", options.seed, "random seed (default 0)")->type_name("N");
  app.add_option("--store", options.store, "the record store (default schedulegym.db)")
      ->type_name("FILE");
  app.add_flag("--json")->description("one JSON object a line on stdout");
  app.add_flag("--quiet")->description("no progress and no messages");
}

// What CLI11 could not place: an unknown option, or a word too many. Among it is a `--`, behind
// which all are words.
void RefuseExtras(const CLI::App& app, std::vector<std::string> extras) {
  const auto mark = std::find(extras.begin(), extras.end(), "--");
  const bool is_first = mark == extras.begin();
  if (mark != extras.end()) extras.erase(mark);
  if (extras.empty()) return;
  const std::string& first = extras.front();
  if (is_first || first.empty() || first[0] != '-') {
    throw InputError("unexpected word '" + first + "'");
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    const bool is_hidden = option->get_group().empty();  // an old name
    if (!is_hidden && !option->get_lnames().empty())
      known.push_back("--" + option->get_lnames().front());
  }
  throw InputError(UnknownName("option", first.substr(0, first.find('=')), known));
}

// What help texts call the name of a file or folder, or of several.
constexpr std::array<std::string_view, 8> kPlaceWords = {
    "FILE", "FILE.so", "FOLDER", "PATH", "PREFIX", "PICTURE", "RESULTS.csv", "THING"};
// Options that name what is written.
constexpr std::array<const char*, 6> kOutputs = {"-o",        "--save-model", "--curves-out",
                                                 "--picture", "--trace-out",  "--tensorboard"};

std::string PlaceWordOf(const CLI::Option& option) {
  const std::string word = option.nonpositional() ? option.get_type_name() : option.get_name();
  return std::find(kPlaceWords.begin(), kPlaceWords.end(), word) == kPlaceWords.end() ? "" : word;
}

// As its help begins: "-o" of "-o,--out".
std::string NameOf(const CLI::Option& option) {
  return option.get_snames().empty() ? option.get_name() : "-" + option.get_snames().front();
}

void RefuseEmptyName(const CLI::Option& option) {
  const std::string word = PlaceWordOf(option);
  if (word.empty() || !Holds(option.results(), "")) return;
  throw InputError(NameOf(option) + ": found an empty name, expected a " +
                   (word == "FOLDER" ? "folder" : "file"));
}

std::vector<NamedOutput> OutputsOf(const CLI::App& app) {
  std::vector<NamedOutput> outputs;
  for (const CLI::Option* option : app.get_options()) {
    const std::string word = PlaceWordOf(*option);
    const bool writes = std::any_of(kOutputs.begin(), kOutputs.end(),
                                    [&](const char* name) { return option->check_name(name); });
    for (const std::string& value : option->results()) {
      // The names behind a prefix differ.
      if (writes && !word.empty() && word != "PREFIX") outputs.push_back({NameOf(*option), value});
      if (option->get_type_name() != "SPEC") continue;
      const auto spec = ParseSpec(value);
      if (!spec) continue;
      for (NamedOutput& output : OutputsIn(NameOf(*option), *spec)) {
        outputs.push_back(std::move(output));
      }
    }
  }
  return outputs;
}

void CheckPlaces(const CLI::App& app, const std::string& store) {
  for (const CLI::Option* option : app.get_options()) RefuseEmptyName(*option);
  CheckOutputs(OutputsOf(app), store);
}

// Reads `words` into the command's and the common options.
void ReadOptions(Command& command, const std::vector<std::string>& words, CommonOptions& common) {
  CLI::App app(command.help(), "schedulegym " + command.name());
  app.allow_extras();
  command.Declare(app);
  DeclareCommon(app, common);
  // CLI11 takes words from the end. A value may begin with a dash.
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    throw HelpRequest{app.help()};
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what());
  }
  common.has_target = app.count("--target") > 0;
  common.has_store = app.count("--store") > 0;
  RefuseExtras(app, app.remaining());
  CheckPlaces(app, common.store);
}

int Dispatch(const std::vector<std::string>& words,
             const std::vector<std::unique_ptr<Command>>& commands, Report& report) {
  if (words.empty()) {
    throw InputError("no command: expected one of " + Join(Names(commands), ", "));
  }
  if (words[0] == "--help" || words[0] == "-h") throw HelpRequest{OverallHelp(commands)};
  if (words[0] == "--version") throw HelpRequest{std::string(kVersion) + "\n"};
  Command& command = FindCommand(commands, words[0]);
  CommonOptions common;
  common.words = words;
  ReadOptions(command, {words.begin() + 1, words.end()}, common);
  Session session(common, report);
  return command.Run(session);
}

// Returns the exit code, and prints errors.
int RunReported(const std::vector<std::string>& words,
                const std::vector<std::unique_ptr<Command>>& commands, Report& report) {
  try {
    return Dispatch(words, commands, report);
  } catch (const HelpRequest& help) {
    report.Help(help.text);
    return kExitOk;
  } catch (const InputError& error) {
    report.Fail("input", error.what());
    return kExitInput;
  } catch (const MachineError& error) {
    report.Fail("machine", error.what());
    return kExitMachine;
  } catch (const std::bad_alloc&) {
    report.Fail("machine", "out of memory");
    return kExitMachine;
  } catch (const std::exception& error) {
    report.Fail("bug", error.what());
    return kExitBug;
  }
}

}  // namespace

int RunCommandLine(const std::vector<std::string>& words,
                   const std::vector<std::unique_ptr<Command>>& commands, std::FILE* out,
                   std::FILE* err) {
  // Searched for by hand: errors in the options themselves are reported in that form, too.
  Report report(out, err, {Holds(words, "--json"), Holds(words, "--quiet")});
  const int code = RunReported(words, commands, report);
  return report.Finish() || code != kExitOk ? code : kExitFailed;
}

}  // namespace schedulegym
