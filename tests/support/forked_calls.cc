#include "tests/support/forked_calls.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

namespace schedulegym {
namespace {

constexpr size_t kMostBytes = 8000;

}  // namespace

void ForkedCalls::Start() {
  auto [mine, its] = MakeSocketPair(/*keeps_messages=*/true);
  child_ = fork();
  if (child_ != 0) {
    line_ = std::move(mine);
    return;
  }
  mine.Close();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int number = 0;
  while (recv(its.number(), &number, sizeof number, 0) == sizeof number) {
    const std::string answer = " " + work_(number).substr(0, kMostBytes);
    if (send(its.number(), answer.data(), answer.size(), MSG_NOSIGNAL) < 0) break;
  }
  _exit(0);
}

void ForkedCalls::End() {
  if (child_ <= 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  child_ = -1;
  line_.Close();
}

std::optional<std::string> ForkedCalls::Call(int number) {
  if (child_ <= 0) Start();
  std::string answer(kMostBytes + 1, '\0');
  pollfd waiting = {line_.number(), POLLIN, 0};
  ssize_t size = send(line_.number(), &number, sizeof number, MSG_NOSIGNAL);
  if (size > 0 && poll(&waiting, 1, seconds_ * 1000) == 1) {
    size = recv(line_.number(), answer.data(), answer.size(), 0);
  } else {
    size = 0;
  }
  if (size <= 0) {
    End();
    return std::nullopt;
  }
  return answer.substr(1, static_cast<size_t>(size) - 1);
}

}  // namespace schedulegym
