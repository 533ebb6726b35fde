// A worker whose compiler is wrong at one shape: other than at 37 x 53 x 29 all its matrix products
// are right, and there its naive program is, too. Everything else the true worker does.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "backends/runner/process/frame_channel.h"
#include "backends/runner/process/worker_process.h"
#include "backends/runner/wire/encoding.h"
#include "backends/runner/wire/messages.h"

namespace schedulegym {
namespace {

constexpr const char* kWhole = "sum(r:29)";
constexpr const char* kShort = "sum(r:28)";

// The last term of a sum is left out.
void Lie(Frame& frame) {
  Result<CompileRequest> request = Decode<CompileRequest>(frame.payload);
  if (!request || request->trace == "trace 1\n") return;
  const size_t at = request->task.dag.find(kWhole);
  if (at == std::string::npos) return;
  request->task.dag.replace(at, std::string(kWhole).size(), kShort);
  frame.payload = Encode(*request);
}

void CompileWrongly() {
  FrameChannel front{Descriptor(WorkerProcess::kSocket)};
  WorkerProcess worker(SG_WORKER, "compile");
  FrameChannel compiler(worker.TakeSocket());
  while (std::optional<Frame> request = front.Receive()) {
    Lie(*request);
    compiler.Send(*request);
    const std::optional<Frame> reply = compiler.Receive();
    if (!reply || !front.Send(*reply)) return;
  }
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "compile") {
    schedulegym::CompileWrongly();
    return 0;
  }
  setenv("SCHEDULEGYM_WORKER", SG_WORKER, /*overwrite=*/1);
  execv(SG_WORKER, argv);
  return 127;
}
