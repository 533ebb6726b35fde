// Descriptor: an open file descriptor, closed by its owner's destructor.
#pragma once

#include <utility>

namespace schedulegym {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { Close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      Close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  int Release() { return std::exchange(number_, -1); }
  void Close();

 private:
  int number_ = -1;
};

// Returns two connected Unix sockets that are closed on exec. `keeps_messages` preserves message
// boundaries (SOCK_SEQPACKET). Throws MachineError.
std::pair<Descriptor, Descriptor> MakeSocketPair(bool keeps_messages);

// Returns the read end and the write end of a pipe, closed on exec. Throws MachineError.
std::pair<Descriptor, Descriptor> MakePipe();

}  // namespace schedulegym
