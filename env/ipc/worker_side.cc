#include "env/ipc/worker_side.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace schedulegym {

bool FollowParent(int argc, char** argv, int& exit_code) {
  if (argc != 3) {
    std::fprintf(stderr, "error: %s is started by schedulegym, not by hand\n",
                 program_invocation_short_name);
    exit_code = 2;
    return false;
  }
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  // Where files may not grow, a write fails, which is then told.
  signal(SIGXFSZ, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  exit_code = 1;
  return getppid() == std::atoi(argv[2]);
}

}  // namespace schedulegym
