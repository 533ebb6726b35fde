#include "experiments/bench/bench_messages.h"

namespace schedulegym {

WireRow ToWire(const BenchRow& row) {
  WireRow wire;
  wire.workload = row.workload;
  wire.cores = row.cores;
  wire.origin = row.origin;
  wire.seconds = row.seconds;
  wire.gflops = row.gflops;
  for (const PeerResult& peer : row.peers) {
    wire.peers.push_back(
        {peer.name, peer.detail, peer.seconds, peer.cpu_per_wall, peer.difference});
  }
  if (row.ratio) wire.ratio = {row.ratio->median, row.ratio->low, row.ratio->high};
  wire.best_peer = row.best_peer;
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
  for (const WirePeer& peer : wire.peers) {
    row.peers.push_back({peer.name, peer.detail, peer.seconds, peer.cpu_per_wall, peer.difference});
  }
  if (wire.ratio.size() == 3) row.ratio = {wire.ratio[0], wire.ratio[1], wire.ratio[2]};
  row.best_peer = wire.best_peer;
  row.peak_gflops = wire.peak_gflops;
  row.peak_fraction = wire.peak_fraction;
  row.flops = wire.flops;
  row.cpu_per_wall = wire.cpu_per_wall;
  row.short_of_cores = wire.short_of_cores;
  row.failure = wire.failure;
  return row;
}

}  // namespace schedulegym
