// The commands `study`, `ablate`, `report` and `leaderboard`: this program becomes the Python that
// makes them.
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "assembly/processes/command_arguments.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "experiments/cli/common/builtin_boards.h"
#include "experiments/cli/common/builtin_commands.h"

namespace schedulegym {
namespace {

// Prints itself what is missing: an interpreter without the package knows no exit codes of ours.
// Until `main` handles Ctrl-C it ends the process, as an exception in the midst of an import may
// come out as anything; while the interpreter itself starts, it waits (`HoldInterrupt`).
constexpr const char* kStart = R"py(import signal
import sys
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
try:
    from schedulegym.studies.__main__ import main
except ModuleNotFoundError as fault:
    print(f"error: {sys.executable} has no module {fault.name} (to install what studies need: "
          "./sg setup studies)", file=sys.stderr)
    sys.exit(3)
sys.exit(main())
)py";

void HoldInterrupt() {
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
}

// Its words go on as they are; they are declared for the help text and the nearest names.
class StudyCommand : public Command {
 public:
  StudyCommand(std::string name, std::string help)
      : name_(std::move(name)), help_(std::move(help)) {}

  std::string name() const override { return name_; }
  std::string help() const override { return help_; }

  void Declare(CLI::App& app) override {
    app.add_option("FILE", what_, "the study: a TOML file")->required();
    app.add_option("-o,--out", out_, "the folder of its results; the same command goes on there")
        ->type_name("FOLDER");
    app.add_option("--seconds", seconds_, "begin no run after so many seconds")->type_name("S");
    app.add_option("--shard", shard_, "only the K-th of N parts")->type_name("K/N");
    app.add_option("--merge", merge_, "take over what a shard's folder has")->type_name("FOLDER");
    DeclareEngine(app, "");
    app.add_flag("--smoke", smoke_, "two seeds of eight trials, on models and tables");
  }

  int Run(Session& session) override { Become(session.words()); }

 protected:
  [[noreturn]] static void Become(const std::vector<std::string>& words) {
    const std::string python = FindPython();
    std::vector<std::string> all = {python, "-c", kStart};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    HoldInterrupt();
    execv(python.c_str(), arguments.data());
    throw MachineError("cannot start '" + python + "': " + std::strerror(errno));
  }

  // `action` begins each help text.
  void DeclareEngine(CLI::App& app, const std::string& action) {
    app.add_option("--engine", engine_,
                   action + "where runs are made: local (default), or ray, on a cluster's nodes")
        ->type_name("NAME");
    app.add_option("--ray-address", ray_address_,
                   action +
                       "of Ray: HOST:PORT, auto (default: one that runs here, else one is "
                       "started) or local (one is started)")
        ->type_name("ADDRESS");
  }

  std::string what_, out_;

  std::string seconds_, shard_, engine_, ray_address_;
  std::vector<std::string> merge_;

 private:
  std::string name_, help_;
  bool smoke_ = false;
};

class ReportCommand : public StudyCommand {
 public:
  ReportCommand()
      : StudyCommand("report", "a page about a study or a store, or a comparison of arms") {}

  void Declare(CLI::App& app) override {
    app.add_option(
           "THING", places_,
           "the folder of a study, or the store of searches; with --over the results.csv of "
           "studies, or their folders")
        ->required();
    app.add_option("-o,--out", out_, "the page; with --over the table (default: it is printed)")
        ->type_name("FILE");
    app.add_flag(
        "--follow", follow_,
        "of a store: writes the page every 5 s until the search that goes on has ended; the "
        "page loads itself again");
    app.add_option("--network", network_,
                   "of a store: the network or .net file whose tasks are shown, with its latency")
        ->type_name("SPEC");
    app.add_option("--over", over_, "compare all arms with this one, or with 'best known'")
        ->type_name("ARM");
    app.add_option("--at", at_, "with --over: after so many trials (default: end)")
        ->type_name("16,64,end");
    app.add_option("--known", known_, "with --over 'best known': of other studies")
        ->type_name("RESULTS.csv")
        ->allow_extra_args(false);
  }

 private:
  std::string over_, at_, network_;
  bool follow_ = false;
  std::vector<std::string> places_, known_;
};

std::string BoardNames() {
  std::vector<std::string> names;
  for (const BuiltinBoard& board : kBuiltinBoards) names.emplace_back(board.name);
  return Join(names, ", ");
}

class LeaderboardCommand : public StudyCommand {
 public:
  LeaderboardCommand()
      : StudyCommand("leaderboard", "compares searches under fixed rules: boards and entries") {}

  void Declare(CLI::App& app) override {
    app.add_option("ACTION", action_, "run, report, submit or verify")->required();
    app.add_option("THING", what_,
                   "a board (" + BoardNames() + ", or a file), its folder, or an entry's folder")
        ->required();
    app.add_option("-o,--out", out_,
                   "run: the folder of its results; report: the page; submit: the archive")
        ->type_name("PATH");
    app.add_option("--entry", entries_, "run: an entry that takes part")->type_name("FOLDER");
    app.add_option("--held-out", held_out_, "run: draw the held-out cases from this seed")
        ->type_name("SEED");
    app.add_option("--board", board_, "submit, verify: the board it is for")->type_name("BOARD");
    app.add_option("--from", source_, "submit: write the entry's records from a board's folder")
        ->type_name("FOLDER");
    app.add_option("--seconds", seconds_, "run: begin no run after so many seconds")
        ->type_name("S");
    app.add_option("--shard", shard_, "run: only the K-th of N parts")->type_name("K/N");
    app.add_option("--merge", merge_, "run: take over what a shard's folder has")
        ->type_name("FOLDER");
    DeclareEngine(app, "run: ");
  }

 private:
  std::string action_, held_out_, board_, source_;
  std::vector<std::string> entries_;
};

}  // namespace

std::unique_ptr<Command> MakeStudyCommand() {
  return std::make_unique<StudyCommand>("study", "compares searches over cases and seeds");
}

std::unique_ptr<Command> MakeAblateCommand() {
  return std::make_unique<StudyCommand>("ablate", "compares the levels of each factor of a search");
}

std::unique_ptr<Command> MakeReportCommand() { return std::make_unique<ReportCommand>(); }

std::unique_ptr<Command> MakeLeaderboardCommand() { return std::make_unique<LeaderboardCommand>(); }

}  // namespace schedulegym
