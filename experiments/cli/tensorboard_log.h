// TensorBoardLog: numbers by step, in the files that TensorBoard draws curves from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "env/ipc/line_channel.h"
#include "env/ipc/worker_process.h"
#include "experiments/cli/common/json.h"

namespace schedulegym {

class TensorBoardLog {
 public:
  // Starts Python with the package tensorboard, which writes into a folder and makes it. Throws
  // MachineError without that package, InputError for a folder that cannot be written.
  explicit TensorBoardLog(const std::string& folder);
  // `numbers` are scalars by their names. Throws InputError where the writer has ended, such as for
  // a full disk.
  void Add(int64_t step, const JsonObject& numbers);

 private:
  // The next answer; none where the writer has ended.
  std::optional<std::string> Answer();
  [[noreturn]] void Fail();

  std::string folder_;
  WorkerProcess process_;
  LineChannel channel_;
};

}  // namespace schedulegym
