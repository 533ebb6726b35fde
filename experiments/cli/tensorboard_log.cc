// Scalars for TensorBoard through its own package: a Python process says whether the package is
// there, gets the folder, then a JSON line for each step, which it writes, flushes and answers, so
// that all logged scalars are in the file.
#include "experiments/cli/tensorboard_log.h"

#include <filesystem>
#include <system_error>

#include "assembly/processes/command_arguments.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr const char* kPackageHint =
    "missing Python package tensorboard, which --tensorboard writes with (to install it: "
    "./sg setup tensorboard, or pip install tensorboard)";
constexpr const char* kReady = "ready";
constexpr const char* kMissing = "missing";
constexpr int kPollMilliseconds = 50;

constexpr const char* kWriter = R"py(import json
import signal
import sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
try:
    from tensorboard.summary import Writer
except ImportError:
    print("missing", flush=True)
    sys.exit(0)
print("ready", flush=True)
writer = Writer(json.loads(sys.stdin.readline())["folder"])
for line in sys.stdin:
    numbers = json.loads(line)
    step = numbers.pop("step")
    for name, value in numbers.items():
        if value is not None:
            writer.add_scalar(name, value, step)
    writer.flush()
    print("written", flush=True)
writer.close()
)py";

// The shell becomes the interpreter.
ShellCommand WriterCommand() {
  return {"exec " + QuotedForShell(FindPython()) + " -c " + QuotedForShell(kWriter)};
}

void MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && std::filesystem::is_directory(folder, error) && !error) return;
  throw InputError("--tensorboard: cannot make the folder '" + folder + "'" +
                   (error ? ": " + error.message() : ""));
}

}  // namespace

TensorBoardLog::TensorBoardLog(const std::string& folder)
    : folder_(folder), process_(WriterCommand()), channel_(process_.TakePipes()) {
  const std::optional<std::string> answer = Answer();
  if (answer == kMissing) throw MachineError(kPackageHint);
  if (answer != kReady) Fail();
  MakeFolder(folder_);
  channel_.Send(ToJson({{"folder", folder_}}));
}

void TensorBoardLog::Add(int64_t step, const JsonObject& numbers) {
  JsonObject line = {{"step", step}};
  line.insert(line.end(), numbers.begin(), numbers.end());
  channel_.Send(ToJson(line));
  if (!Answer()) Fail();
}

std::optional<std::string> TensorBoardLog::Answer() {
  while (true) {
    if (auto line = channel_.Poll()) return line;
    if (channel_.is_closed()) return channel_.Poll();
    channel_.Wait(kPollMilliseconds);
  }
}

void TensorBoardLog::Fail() {
  throw InputError("--tensorboard: cannot write into '" + folder_ + "': " + process_.ExitReason());
}

}  // namespace schedulegym
