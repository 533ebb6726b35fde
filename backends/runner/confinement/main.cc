// The program `schedulegym-confined`: becomes another program that may do little; started by
// schedulegym, never by hand.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "backends/runner/confinement/confine.h"

int main(int argc, char** argv) {
  try {
    const schedulegym::ChildProgram child =
        schedulegym::ProgramOf(std::vector<std::string>(argv, argv + argc));
    signal(SIGINT, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != child.parent) return 1;
    schedulegym::BecomeConfined(child.program);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 3;
  }
}
