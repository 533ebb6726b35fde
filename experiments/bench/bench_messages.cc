#include "experiments/bench/bench_messages.h"

namespace schedulegym {
namespace {

WireSide ToWire(const PeerSide& side) {
  WireSide wire;
  for (const PeerResult& peer : side.peers) {
    wire.peers.push_back(
        {peer.name, peer.detail, peer.seconds, peer.cpu_per_wall, peer.difference});
  }
  if (side.ratio) wire.ratio = {side.ratio->median, side.ratio->low, side.ratio->high};
  wire.best_peer = side.best_peer;
  return wire;
}

PeerSide FromWire(const WireSide& wire) {
  PeerSide side;
  for (const WirePeer& peer : wire.peers) {
    side.peers.push_back(
        {peer.name, peer.detail, peer.seconds, peer.cpu_per_wall, peer.difference});
  }
  if (wire.ratio.size() == 3) side.ratio = {wire.ratio[0], wire.ratio[1], wire.ratio[2]};
  side.best_peer = wire.best_peer;
  return side;
}

}  // namespace

WireRow ToWire(const BenchRow& row) {
  WireRow wire;
  wire.workload = row.workload;
  wire.cores = row.cores;
  wire.origin = row.origin;
  wire.seconds = row.seconds;
  wire.gflops = row.gflops;
  wire.any = ToWire(row.any);
  wire.plain = ToWire(row.plain);
  wire.peak_gflops = row.peak_gflops;
  wire.peak_fraction = row.peak_fraction;
  wire.flops = row.flops;
  wire.cpu_per_wall = row.cpu_per_wall;
  wire.short_of_cores = row.short_of_cores;
  wire.failure = row.failure;
  return wire;
}

BenchRow FromWire(const WireRow& wire) {
  BenchRow row;
  row.workload = wire.workload;
  row.cores = static_cast<int>(wire.cores);
  row.origin = wire.origin;
  row.seconds = wire.seconds;
  row.gflops = wire.gflops;
  row.any = FromWire(wire.any);
  row.plain = FromWire(wire.plain);
  row.peak_gflops = wire.peak_gflops;
  row.peak_fraction = wire.peak_fraction;
  row.flops = wire.flops;
  row.cpu_per_wall = wire.cpu_per_wall;
  row.short_of_cores = wire.short_of_cores;
  row.failure = wire.failure;
  return row;
}

}  // namespace schedulegym
