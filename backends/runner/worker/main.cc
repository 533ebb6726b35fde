// The program `schedulegym-worker`: started by schedulegym, never by hand.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "backends/runner/process/worker_process.h"
#include "backends/runner/sandbox/zygote.h"
#include "backends/runner/worker/checker.h"
#include "backends/runner/worker/compile_service.h"

namespace schedulegym {
namespace {

// Ends with its parent, however that ends, and not with Ctrl-C: the parent decides.
bool FollowParent(int parent) {
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == parent;
}

int Run(const std::string& role) {
  Descriptor socket(WorkerProcess::kSocket);
  if (role == "compile") {
    RunCompileService(std::move(socket));
  } else if (role == "zygote") {
    RunZygote(std::move(socket));
  } else if (role == "check") {
    RunChecker(std::move(socket), FindWorkerProgram());
  } else {
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("error: schedulegym-worker is started by schedulegym, not by hand\n", stderr);
    return 2;
  }
  if (!schedulegym::FollowParent(std::atoi(argv[2]))) return 1;
  try {
    return schedulegym::Run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 70;
  }
}
