// Bench messages: what `schedulegym bench` and the worker that times its rows say to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "backends/runner/wire/messages.h"
#include "experiments/bench/bench.h"

namespace schedulegym {

enum class BenchMessage : uint16_t {
  kRow = 64,       // BenchRequest -> InterleavedRow
  kPeers = 65,     // empty -> PeersReply
  kProtocol = 66,  // ProtocolRequest -> ProtocolReply
};

struct WireCase {
  std::string workload;
  TaskText task;
  std::optional<std::string> trace;
  std::string origin;

  static constexpr auto Fields() {
    return std::tuple(&WireCase::workload, &WireCase::task, &WireCase::trace, &WireCase::origin);
  }
};

struct BenchRequest {
  static constexpr const char* kName = "bench request";
  WireCase row;
  std::vector<std::string> peers;
  uint64_t seed = 0;

  static constexpr auto Fields() {
    return std::tuple(&BenchRequest::row, &BenchRequest::peers, &BenchRequest::seed);
  }
};

// Each library that may stand beside ours.
struct PeerState {
  std::string name;
  std::string lack;  // why it cannot; empty when it can

  static constexpr auto Fields() { return std::tuple(&PeerState::name, &PeerState::lack); }
};

struct PeersReply {
  static constexpr const char* kName = "list of peers";
  std::vector<PeerState> peers;

  static constexpr auto Fields() { return std::tuple(&PeersReply::peers); }
};

// Pairs of kernels whose truth is known, timed by the protocol.
struct ProtocolRequest {
  static constexpr const char* kName = "protocol request";
  std::string target;
  std::string protocol;
  int64_t pairs = 0;
  bool planted = false;  // one does 3 % more; else they are equal
  uint64_t seed = 0;

  static constexpr auto Fields() {
    using T = ProtocolRequest;
    return std::tuple(&T::target, &T::protocol, &T::pairs, &T::planted, &T::seed);
  }
};

struct ProtocolReply {
  static constexpr const char* kName = "protocol reply";
  int64_t pairs = 0;
  int64_t wrong = 0;  // equal ones called different, or unequal ones ordered wrong
  int64_t same = 0;   // equal ones called the same
  double error_p95 = 0;
  double seconds = 0;

  static constexpr auto Fields() {
    using T = ProtocolReply;
    return std::tuple(&T::pairs, &T::wrong, &T::same, &T::error_p95, &T::seconds);
  }
};

}  // namespace schedulegym
