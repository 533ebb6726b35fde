// CpuFacts: what code generation asks of a target's instruction set.
#pragma once

#include "env/program/targets/target.h"

namespace schedulegym {

struct CpuFacts {
  int vector_bytes = 16;
  int vector_registers = 16;
  int64_t l2_bytes = 0;
  bool avx = false;
  bool avx2 = false;
  bool avx512f = false;
  bool avx512vl = false;
  bool avx512bw = false;

  explicit CpuFacts(const Target& target)
      : vector_bytes(target.vector_bits / 8),
        vector_registers(target.vector_registers),
        l2_bytes(target.l2_bytes),
        avx(target.HasFeature("avx")),
        avx2(target.HasFeature("avx2")),
        avx512f(target.HasFeature("avx512f")),
        avx512vl(avx512f && target.HasFeature("avx512vl")),
        avx512bw(avx512f && target.HasFeature("avx512bw")) {}

  // Whether loads and stores of elements of this size can leave out lanes.
  bool HasMasks(int64_t element_bytes) const {
    if (element_bytes >= 4) return avx512vl || avx2;
    return avx512bw && avx512vl;
  }
};

}  // namespace schedulegym
