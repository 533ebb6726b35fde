// The command `records`: what the store holds.
#include <CLI/CLI.hpp>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "experiments/cli/builtin_commands.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/tune_events.h"

namespace schedulegym {
namespace {

JsonObject BestItem(const Record& record) {
  const Timing& timing = *record.measurement.timing;
  return {{"record", record.id},
          {"task", record.task->key.ToText()},
          {"workload", record.task->workload},
          {"target", record.task->target},
          {"seconds", timing.seconds},
          {"ratio", timing.ratio.median},
          {"ratio_low", timing.ratio.low},
          {"ratio_high", timing.ratio.high},
          {"agent", record.agent},
          {"seed", record.seed},
          {"index", record.index},
          {"host", record.host},
          {"trace", record.trace}};
}

int Best(Session& session) {
  const std::vector<Record> records = session.ReadStore()->BestOfEach();
  for (const Record& record : records) {
    session.report().Item(record.task->workload, BestItem(record),
                          record.id + "  " + record.task->workload + "  " +
                              TimingText(*record.measurement.timing, std::nullopt));
  }
  if (records.empty()) session.report().Note("the store holds no success");
  return kExitOk;
}

class RecordsCommand : public Command {
 public:
  std::string name() const override { return "records"; }
  std::string help() const override { return "what the store holds: best"; }
  void Declare(CLI::App& app) override {
    app.add_option("WHAT", what_, "best: the best record of each task")->required();
  }

  int Run(Session& session) override {
    if (what_ == "best") return Best(session);
    throw InputError(UnknownName("word after records", what_, {"best"}));
  }

 private:
  std::string what_;
};

}  // namespace

std::unique_ptr<Command> MakeRecordsCommand() { return std::make_unique<RecordsCommand>(); }

}  // namespace schedulegym
