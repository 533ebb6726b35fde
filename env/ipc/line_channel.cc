#include "env/ipc/line_channel.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

namespace schedulegym {
namespace {

constexpr size_t kBlock = size_t{1} << 16;

void NeverBlock(const Descriptor& file) {
  fcntl(file.number(), F_SETFL, fcntl(file.number(), F_GETFL) | O_NONBLOCK);
}

// As write(2), but without SIGPIPE, which would end this process when the reader has closed the
// pipe. The signal goes to the writing thread; a SIGPIPE that was pending before stays pending.
ssize_t WriteQuietly(int file, std::string_view bytes) {
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  const ssize_t done = write(file, bytes.data(), bytes.size());
  const int fault = errno;
  if (done < 0 && fault == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once = {};
    sigtimedwait(&broken, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = fault;
  return done;
}

bool ComesAgain(int fault) { return fault == EAGAIN || fault == EINTR; }

}  // namespace

LineChannel::LineChannel(StandardPipes pipes) : pipes_(std::move(pipes)) {
  NeverBlock(pipes_.to);
  NeverBlock(pipes_.from);
}

void LineChannel::Send(std::string_view line) {
  outgoing_.erase(0, std::exchange(written_, 0));
  outgoing_.append(line).push_back('\n');
}

// A process that no longer reads may still have answered, so a failed write only drops the rest.
void LineChannel::WriteSome() {
  while (written_ < outgoing_.size()) {
    const ssize_t done =
        WriteQuietly(pipes_.to.number(), std::string_view(outgoing_).substr(written_));
    if (done < 0 && ComesAgain(errno)) return;
    written_ = done < 0 ? outgoing_.size() : written_ + static_cast<size_t>(done);
  }
}

void LineChannel::ReadSome() {
  std::array<char, kBlock> block;
  while (!closed_) {
    const ssize_t got = read(pipes_.from.number(), block.data(), block.size());
    if (got < 0 && ComesAgain(errno)) return;
    if (got <= 0) {
      closed_ = true;
    } else {
      incoming_.append(block.data(), static_cast<size_t>(got));
      too_long_ = incoming_.size() > kMostBytes;
      closed_ = too_long_;
    }
  }
}

std::optional<std::string> LineChannel::TakeLine() {
  const size_t end = incoming_.find('\n', searched_);
  searched_ = incoming_.size();
  const bool is_last = closed_ && !too_long_ && !incoming_.empty();
  if (end == std::string::npos && !is_last) return std::nullopt;
  std::string line = incoming_.substr(0, end);
  incoming_.erase(0, line.size() + 1);
  searched_ = 0;
  return line;
}

std::optional<std::string> LineChannel::Poll() {
  WriteSome();
  std::optional<std::string> line = TakeLine();
  if (line) return line;
  ReadSome();
  return TakeLine();
}

void LineChannel::Wait(int milliseconds) const {
  std::array<pollfd, 2> ends = {pollfd{pipes_.from.number(), POLLIN, 0},
                                pollfd{pipes_.to.number(), POLLOUT, 0}};
  poll(ends.data(), written_ < outgoing_.size() ? 2 : 1, milliseconds);
}

}  // namespace schedulegym
