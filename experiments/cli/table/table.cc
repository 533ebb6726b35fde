// The command `table`: a small space measured whole, to be walked without measuring. `table show
// FILE` prints what a file holds; else a plan is made (table_plan.cc), measured and written. A file
// of another tuner becomes a table by --input.
#include <CLI/CLI.hpp>

#include "agents/tuner/search_request.h"
#include "env/base/fault.h"
#include "env/base/output_file.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/gym/tables/table_file.h"
#include "env/gym/tables/tuner_file.h"
#include "env/measure/protocol.h"
#include "env/program/workloads/task_list.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/table/table_facts.h"
#include "experiments/cli/table/table_plan.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

constexpr const char* kShow = "show";

class TableCommand : public Command {
 public:
  std::string name() const override { return "table"; }
  std::string help() const override { return "measures a small space whole, for episodes"; }

  void Declare(CLI::App& app) override {
    app.add_option("WORKLOAD", word_,
                   "a spec or a .dag file; or `show FILE`: what a table, or a T4 file of another "
                   "tuner, holds")
        ->required();
    app.add_option("FILE", file_, "the table to show");
    app.add_option("--kind", kind_,
                   "modify: a grid, a sketch's knobs thinned around a good point; construct: a "
                   "tree of the menu's moves, three ways on from each place")
        ->type_name("KIND");
    app.add_option("--points", points_, "how many at most (default 1000, at most 20000)")
        ->type_name("N");
    app.add_option("--space", space_,
                   "whose sketch, for modify (default schedulegym, on GPUs ansor)")
        ->type_name("SPEC");
    app.add_option("--sketch", sketch_, "which of its sketches, from 0 (default 0), or all")
        ->type_name("N");
    app.add_flag("--contest", is_hard_by_old_name_, "the old name of --hard")->group("");
    app.add_flag("--hard", is_hard_,
                 "choose the knobs so that, by the estimate, the median best of 64 random trials "
                 "lies 5 % under the best, for modify");
    app.add_option("--protocol", protocol_, "how points are timed (default cpu1)")
        ->type_name("SPEC");
    app.add_option("--retime", retime_,
                   "then time this share of the best again, as the protocol's finalists (default "
                   "0; 0.05 for a table on which searches are compared)")
        ->type_name("SHARE");
    app.add_option("-o,--out", out_, "where to write the table")->type_name("FILE");
    app.add_option("--input", input_, "the T1 file that goes with a T4 file to show")
        ->type_name("FILE");
  }

  int Run(Session& session) override {
    if (is_hard_by_old_name_) session.report().Warn("--contest is --hard now");
    is_hard_ = is_hard_ || is_hard_by_old_name_;
    if (word_ == kShow) return Show(session);
    if (!file_.empty()) throw InputError("unexpected word '" + file_ + "'");
    if (!input_.empty()) throw InputError("--input: it goes with `table show` alone");
    return Make(session);
  }

 private:
  int Show(Session& session) const {
    if (file_.empty()) throw InputError("table show: expected FILE");
    if (!out_.empty()) throw InputError("-o: nothing is written by `table show`");
    Report(session, file_, ReadAnyTable(file_, input_));
    return kExitOk;
  }

  static void Report(Session& session, const std::string& file, const Table& table) {
    session.report().Item(file, TableFields(table), TableFactsText(table));
  }

  int Make(Session& session) const {
    const InterruptScope interrupt;
    const bool is_tree = IsTree();
    const int64_t points = Points();
    if (out_.empty()) throw InputError("table: expected -o FILE");
    const Target target = session.MakeTarget();
    const auto space = MakeSpace(RequireSpec("--space", space_.value_or(UsualSpace(target))));
    const std::string protocol = ProtocolText(session.ReadProtocol(protocol_));
    const double retime = Share();
    const auto task = LoadTask(word_, target);
    const TablePlan plan = is_tree ? PlanTree(task, points, session.seed())
                                   : PlanGrid(task, *space, GridOf(points, session.seed()));
    NoteEstimate(session, plan);
    OutputFile out(out_, KeptFile::kTable);
    const auto records = MeasurePlan(session, plan, {protocol, retime}, interrupt);
    if (interrupt.exit_code()) {
      session.report().Note("interrupted: " + std::to_string(records.size()) +
                            " schedules are in the store, the same command goes on; '" + out_ +
                            "' is as it was");
      return *interrupt.exit_code();
    }
    const Table table =
        AssembleTable(plan, records, {session.seed(), protocol, session.CommandText()});
    if (!table.Best()) {
      session.report().Warn("no point succeeded; '" + out_ + "' is as it was");
      return kExitFailed;
    }
    out.Write(TableText(table));
    out.Commit();
    Report(session, out_, table);
    return kExitOk;
  }

  bool IsTree() const {
    const std::vector<std::string> kinds = {"modify", "construct"};
    if (kind_.empty()) throw InputError("table: expected --kind modify or --kind construct");
    if (kind_ != kinds[0] && kind_ != kinds[1]) {
      throw InputError(UnknownName("kind", kind_, kinds));
    }
    const bool is_tree = kind_ == kinds[1];
    if (is_tree && (space_ || sketch_ || is_hard_)) {
      throw InputError("--space, --sketch and --hard: they go with --kind modify alone");
    }
    return is_tree;
  }

  GridRequest GridOf(int64_t points, uint64_t seed) const {
    GridRequest request = {.points = points, .is_hard = is_hard_, .seed = seed};
    const std::string sketch = sketch_.value_or("0");
    request.sketch.reset();
    if (sketch != "all") request.sketch = ParseIntegerOption("--sketch", sketch, 0);
    return request;
  }

  void NoteEstimate(Session& session, const TablePlan& plan) const {
    if (!is_hard_ || !plan.estimated) return;
    session.report().Note("by the estimate, the median best of " +
                          std::to_string(plan.estimated->trials) + " random trials lies " +
                          FormatFixed(100 * (1 - plan.estimated->of_best), 1) +
                          " % under the best");
  }

  int64_t Points() const {
    const int64_t points = ParseIntegerOption("--points", points_, 2);
    if (points <= kMostTableRows) return points;
    throw InputError("--points: found " + points_ + ", expected at most " +
                     std::to_string(kMostTableRows));
  }

  double Share() const {
    const std::optional<double> share = ParseDouble(retime_);
    if (share && *share >= 0 && *share <= 1) return *share;
    throw InputError("--retime: found " + retime_ + ", expected a share from 0 to 1");
  }

  std::string word_, file_, kind_, out_, input_;
  std::string points_ = "1000", retime_ = "0";
  bool is_hard_ = false, is_hard_by_old_name_ = false;
  std::optional<std::string> space_, sketch_;
  std::string protocol_ = "cpu1";
};

}  // namespace

std::unique_ptr<Command> MakeTableCommand() { return std::make_unique<TableCommand>(); }

}  // namespace schedulegym
