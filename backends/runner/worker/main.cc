// The program `schedulegym-worker`: started by schedulegym, never by hand.
#include <cstdio>
#include <exception>
#include <string>

#include "backends/runner/sandbox/zygote.h"
#include "backends/runner/worker/services.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {
namespace {

int Run(const std::string& role) {
  Descriptor socket(WorkerProcess::kSocket);
  if (role == "compile") {
    RunCompileService(std::move(socket));
  } else if (role == "zygote") {
    RunZygote(std::move(socket));
  } else if (role == "check") {
    RunChecker(std::move(socket), FindWorkerProgram());
  } else if (role == "reference") {
    RunReferenceService(std::move(socket));
  } else {
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  int exit_code = 0;
  if (!schedulegym::FollowParent(argc, argv, exit_code)) return exit_code;
  try {
    return schedulegym::Run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 70;
  }
}
