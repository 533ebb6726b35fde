#include "experiments/cli/common/builtin_commands.h"

namespace schedulegym {

std::vector<std::unique_ptr<Command>> AllCommands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(MakeTuneCommand());
  commands.push_back(MakeTrainCommand());
  commands.push_back(MakeEvaluateCommand());
  commands.push_back(MakeReplayCommand());
  commands.push_back(MakeRepeatCommand());
  commands.push_back(MakeShowCommand());
  commands.push_back(MakeShowTreeCommand());
  commands.push_back(MakeExportCommand());
  commands.push_back(MakeListCommand());
  commands.push_back(MakeRecordsCommand());
  commands.push_back(MakeTableCommand());
  commands.push_back(MakeBenchCommand());
  commands.push_back(MakeSimulateCommand());
  commands.push_back(MakeStudyCommand());
  commands.push_back(MakeAblateCommand());
  commands.push_back(MakeReportCommand());
  commands.push_back(MakeLeaderboardCommand());
  commands.push_back(MakeConformanceCommand());
  commands.push_back(MakeDoctorCommand());
  return commands;
}

}  // namespace schedulegym
