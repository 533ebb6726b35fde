#include "env/ipc/descriptor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "env/base/fault.h"

namespace schedulegym {

void Descriptor::Close() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

std::pair<Descriptor, Descriptor> MakeSocketPair(bool keeps_messages) {
  int ends[2];
  const int type = keeps_messages ? SOCK_SEQPACKET : SOCK_STREAM;
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) {
    throw MachineError(std::string("cannot make a socket: ") + std::strerror(errno));
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::pair<Descriptor, Descriptor> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw MachineError(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace schedulegym
