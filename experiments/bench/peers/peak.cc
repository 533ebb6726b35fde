// The peak of multiply-adds in registers: x = x * 0.5 + 0.5 in 8, 10, 12 or 14 independent
// accumulators, which hide the latency, for SSE2, AVX2 with FMA and AVX-512. The constructor takes
// the variant of the least time a flop (best of 5). 2^22 vector operations a call on each core;
// GFLOP/s = 2 * operations * lanes * cores / least seconds * 1e-9.
#include "experiments/bench/peers/peak.h"

#include <immintrin.h>

#include <algorithm>
#include <limits>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Multiply-adds of one vector in one call of a loop, shared out over the accumulators.
constexpr int64_t kVectorOperations = 1 << 22;

// x = x * 0.5 + 0.5 keeps every accumulator normal. The sum is stored to memory that the compiler
// cannot analyse, so that the loop is not removed. Each instruction set has a function, as the file
// is compiled for the oldest machine.
#define SG_PEAK_LOOP(NAME, TARGET, VECTOR, SET, MULTIPLY_ADD, ADD)                                 \
  template <int kAccumulators>                                                                     \
  __attribute__((target(TARGET), noinline)) void NAME() {                                          \
    VECTOR accumulators[kAccumulators];                                                            \
    const VECTOR half = SET(0.5);                                                                  \
    _Pragma("GCC unroll 32") for (int i = 0; i < kAccumulators; ++i) { accumulators[i] = SET(i); } \
    for (int64_t step = 0; step < kVectorOperations / kAccumulators; ++step) {                     \
      _Pragma("GCC unroll 32") for (int i = 0; i < kAccumulators; ++i) {                           \
        accumulators[i] = MULTIPLY_ADD(accumulators[i], half, half);                               \
      }                                                                                            \
    }                                                                                              \
    _Pragma("GCC unroll 32") for (int i = 1; i < kAccumulators; ++i) {                             \
      accumulators[0] = ADD(accumulators[0], accumulators[i]);                                     \
    }                                                                                              \
    VECTOR sink;                                                                                   \
    __asm__ volatile("" : "=m"(sink) : "x"(accumulators[0]));                                      \
  }

#define SG_SSE_MULTIPLY_ADD_F32(x, y, z) _mm_add_ps(_mm_mul_ps(x, y), z)
#define SG_SSE_MULTIPLY_ADD_F64(x, y, z) _mm_add_pd(_mm_mul_pd(x, y), z)

SG_PEAK_LOOP(Avx512F32, "avx512f", __m512, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_add_ps)
SG_PEAK_LOOP(Avx512F64, "avx512f", __m512d, _mm512_set1_pd, _mm512_fmadd_pd, _mm512_add_pd)
SG_PEAK_LOOP(Avx2F32, "avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps, _mm256_add_ps)
SG_PEAK_LOOP(Avx2F64, "avx2,fma", __m256d, _mm256_set1_pd, _mm256_fmadd_pd, _mm256_add_pd)
SG_PEAK_LOOP(SseF32, "sse2", __m128, _mm_set1_ps, SG_SSE_MULTIPLY_ADD_F32, _mm_add_ps)
SG_PEAK_LOOP(SseF64, "sse2", __m128d, _mm_set1_pd, SG_SSE_MULTIPLY_ADD_F64, _mm_add_pd)

#undef SG_PEAK_LOOP

enum class InstructionSet { kSse, kAvx2, kAvx512 };

InstructionSet Widest(int most_bits) {
  if (most_bits >= 512 && __builtin_cpu_supports("avx512f")) return InstructionSet::kAvx512;
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return avx2 && most_bits >= 256 ? InstructionSet::kAvx2 : InstructionSet::kSse;
}

const char* InstructionSetName(InstructionSet set) {
  switch (set) {
    case InstructionSet::kSse: return "sse2";
    case InstructionSet::kAvx2: return "avx2";
    case InstructionSet::kAvx512: return "avx512";
  }
  return "";
}

}  // namespace

struct PeakLoop::Variant {
  InstructionSet set;
  DType type;
  int accumulators;
  int lanes;
  void (*loop)();
};

constexpr PeakLoop::Variant PeakLoop::kVariants[] = {
    {InstructionSet::kAvx512, DType::kF32, 8, 16, Avx512F32<8>},
    {InstructionSet::kAvx512, DType::kF32, 10, 16, Avx512F32<10>},
    {InstructionSet::kAvx512, DType::kF32, 12, 16, Avx512F32<12>},
    {InstructionSet::kAvx512, DType::kF32, 14, 16, Avx512F32<14>},
    {InstructionSet::kAvx512, DType::kF32, 24, 16, Avx512F32<24>},
    {InstructionSet::kAvx512, DType::kF64, 8, 8, Avx512F64<8>},
    {InstructionSet::kAvx512, DType::kF64, 10, 8, Avx512F64<10>},
    {InstructionSet::kAvx512, DType::kF64, 12, 8, Avx512F64<12>},
    {InstructionSet::kAvx512, DType::kF64, 14, 8, Avx512F64<14>},
    {InstructionSet::kAvx512, DType::kF64, 24, 8, Avx512F64<24>},
    {InstructionSet::kAvx2, DType::kF32, 8, 8, Avx2F32<8>},
    {InstructionSet::kAvx2, DType::kF32, 10, 8, Avx2F32<10>},
    {InstructionSet::kAvx2, DType::kF32, 12, 8, Avx2F32<12>},
    {InstructionSet::kAvx2, DType::kF32, 14, 8, Avx2F32<14>},
    {InstructionSet::kAvx2, DType::kF64, 8, 4, Avx2F64<8>},
    {InstructionSet::kAvx2, DType::kF64, 10, 4, Avx2F64<10>},
    {InstructionSet::kAvx2, DType::kF64, 12, 4, Avx2F64<12>},
    {InstructionSet::kAvx2, DType::kF64, 14, 4, Avx2F64<14>},
    {InstructionSet::kSse, DType::kF32, 8, 4, SseF32<8>},
    {InstructionSet::kSse, DType::kF32, 10, 4, SseF32<10>},
    {InstructionSet::kSse, DType::kF32, 12, 4, SseF32<12>},
    {InstructionSet::kSse, DType::kF32, 14, 4, SseF32<14>},
    {InstructionSet::kSse, DType::kF64, 8, 2, SseF64<8>},
    {InstructionSet::kSse, DType::kF64, 10, 2, SseF64<10>},
    {InstructionSet::kSse, DType::kF64, 12, 2, SseF64<12>},
    {InstructionSet::kSse, DType::kF64, 14, 2, SseF64<14>},
};

PeakLoop::PeakLoop(DType type, int cores, const Clock& clock, int most_bits)
    : variant_(nullptr), cores_(cores) {
  SG_CHECK(type == DType::kF32 || type == DType::kF64, "a peak is measured in f32 or f64");
  const InstructionSet set = Widest(most_bits);
  const Variant* fastest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Variant& variant : kVariants) {
    if (variant.set != set || variant.type != type) continue;
    variant_ = &variant;
    const double seconds = Time(clock) / flops();
    if (seconds >= least) continue;
    least = seconds;
    fastest = &variant;
  }
  variant_ = fastest;
}

// The least of a few calls.
double PeakLoop::Time(const Clock& clock) const {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i) {
    const double begin = clock.Now();
    Run();
    least = std::min(least, clock.Now() - begin);
  }
  return least;
}

void PeakLoop::Run() const {
  const auto loop = variant_->loop;
#pragma omp parallel num_threads(cores_)
  loop();
}

double PeakLoop::flops() const {
  const int64_t steps = kVectorOperations / variant_->accumulators;
  return 2.0 * steps * variant_->accumulators * variant_->lanes * cores_;
}

std::string PeakLoop::detail() const {
  return std::string(InstructionSetName(variant_->set)) + ", " +
         std::to_string(variant_->accumulators) + " accumulators";
}

double MeasurePeakGflops(DType type, int cores, const Clock& clock, int rounds) {
  const PeakLoop loop(type, cores, clock);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rounds; ++i) {
    const double begin = clock.Now();
    loop.Run();
    least = std::min(least, clock.Now() - begin);
  }
  return loop.flops() / least * 1e-9;
}

}  // namespace schedulegym
