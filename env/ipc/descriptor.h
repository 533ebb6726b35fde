// Descriptor: an open file of the system, closed with its owner.
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

// Two connected Unix sockets that are closed on exec; `keeps_messages` keeps the borders of
// messages (SOCK_SEQPACKET). Throws MachineError.
std::pair<Descriptor, Descriptor> MakeSocketPair(bool keeps_messages);

// A pipe's end to read from and its end to write to, closed on exec. Throws MachineError.
std::pair<Descriptor, Descriptor> MakePipe();

}  // namespace schedulegym
