// GpuFacts: the properties of a GPU that legality, features and heuristics may use.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "env/base/spec.h"

namespace schedulegym {

struct GpuFacts {
  std::string name = "generic";  // of the card, or as its driver reports it
  std::string arch;              // such as "sm_80"; "" where the driver compiles
  int units = 1;                 // multiprocessors
  int warp = 32;                 // threads that run in lockstep
  int threads = 256;             // of a block, at most
  // Virtual threads of a thread, at most: a quarter of a warp, as in TVM's auto-scheduler
  // (search_task.cc, max_vthread_extent).
  int vthreads = 8;
  int64_t shared_bytes = 32 << 10;  // of a block, at most
  int block_registers = 65536;      // of 32 bits, at most
  int thread_registers = 255;       // likewise
  int vector_bytes = 16;            // of one access, at most
  int64_t l2_bytes = 1 << 20;
  double bandwidth = 0;  // of the memory, bytes a second; 0 where unknown

  bool operator==(const GpuFacts&) const = default;
};

// A card that has a name, with the memory that it is sold with.
struct GpuCard {
  const char* word;  // as in `cuda(card=a100)`
  GpuFacts facts;
  int64_t memory_bytes = 0;
};

// Finds a card by its word. Throws InputError for an unknown word, with those that exist.
GpuCard FindGpuCard(const std::string& word);
std::vector<std::string> GpuCardWords();

// Each fact is a key: name, arch, units, warp, threads, vthreads, shared, block_registers,
// thread_registers, vector, l2, bandwidth. Keys that the spec omits are taken from `facts`. Throws
// InputError for a value out of its range.
GpuFacts ReadGpuFacts(SpecReader* reader, const std::string& target, GpuFacts facts);

// All keys, in that order.
void WriteGpuFacts(const GpuFacts& facts, Spec* spec);

}  // namespace schedulegym
