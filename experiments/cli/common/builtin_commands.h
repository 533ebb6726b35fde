// The commands of the program, each in its own file.
#pragma once

#include <memory>
#include <vector>

#include "experiments/cli/common/command_line.h"

namespace schedulegym {

std::unique_ptr<Command> MakeTuneCommand();
std::unique_ptr<Command> MakeTrainCommand();
std::unique_ptr<Command> MakeEvaluateCommand();
std::unique_ptr<Command> MakeReplayCommand();
std::unique_ptr<Command> MakeRepeatCommand();
std::unique_ptr<Command> MakeShowCommand();
std::unique_ptr<Command> MakeShowTreeCommand();
std::unique_ptr<Command> MakeExportCommand();
std::unique_ptr<Command> MakeListCommand();
std::unique_ptr<Command> MakeRecordsCommand();
std::unique_ptr<Command> MakeTableCommand();
std::unique_ptr<Command> MakeBenchCommand();
std::unique_ptr<Command> MakeSimulateCommand();
std::unique_ptr<Command> MakeStudyCommand();
std::unique_ptr<Command> MakeAblateCommand();
std::unique_ptr<Command> MakeReportCommand();
std::unique_ptr<Command> MakeLeaderboardCommand();
std::unique_ptr<Command> MakeConformanceCommand();
std::unique_ptr<Command> MakeDoctorCommand();

// In the order of the help text.
std::vector<std::unique_ptr<Command>> AllCommands();

}  // namespace schedulegym
