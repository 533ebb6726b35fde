#include "backends/llvm/runtime_symbols.h"

#include <sys/mman.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

// Declared here because their headers belong to compilers; only the addresses are taken.
extern "C" {
void GOMP_parallel(void (*task)(void*), void* data, unsigned threads, unsigned flags);
int omp_get_thread_num(void);
int omp_get_num_threads(void);

#define SG_VECTOR(NAME)       \
  void _ZGVbN4v_##NAME##f();  \
  void _ZGVcN8v_##NAME##f();  \
  void _ZGVdN8v_##NAME##f();  \
  void _ZGVeN16v_##NAME##f(); \
  void _ZGVbN2v_##NAME();     \
  void _ZGVcN4v_##NAME();     \
  void _ZGVdN4v_##NAME();     \
  void _ZGVeN8v_##NAME();
SG_VECTOR(exp)
SG_VECTOR(log)
SG_VECTOR(tanh)
SG_VECTOR(erf)
#undef SG_VECTOR
// The vector ABI chose these names.
// NOLINTBEGIN(bugprone-reserved-identifier)
void _ZGVbN4vv_powf();
void _ZGVcN8vv_powf();
void _ZGVdN8vv_powf();
void _ZGVeN16vv_powf();
void _ZGVbN2vv_pow();
void _ZGVcN4vv_pow();
void _ZGVdN4vv_pow();
void _ZGVeN8vv_pow();
// NOLINTEND(bugprone-reserved-identifier)
}

namespace schedulegym {
namespace {

struct Entry {
  std::string_view name;
  void* address;
};

template <typename Function>
void* AddressOf(Function* function) {
  return reinterpret_cast<void*>(function);
}

template <typename Result, typename... Arguments>
using Signature = Result(Arguments...);

}  // namespace

void* FindRuntimeSymbol(std::string_view name) {
  const auto math = [&](std::string_view stem, Signature<double, double>* f64,
                        Signature<float, float>* f32) -> void* {
    if (name == stem) return AddressOf(f64);
    return name.size() == stem.size() + 1 && name.starts_with(stem) && name.back() == 'f'
               ? AddressOf(f32)
               : nullptr;
  };
  for (void* found : {math("exp", ::exp, ::expf), math("log", ::log, ::logf),
                      math("tanh", ::tanh, ::tanhf), math("erf", ::erf, ::erff),
                      math("floor", ::floor, ::floorf), math("sqrt", ::sqrt, ::sqrtf)}) {
    if (found != nullptr) return found;
  }
#define SG_ENTRY(NAME) \
  { #NAME, AddressOf(::NAME) }
#define SG_VECTOR(NAME)                                                                     \
  SG_ENTRY(_ZGVbN4v_##NAME##f), SG_ENTRY(_ZGVcN8v_##NAME##f), SG_ENTRY(_ZGVdN8v_##NAME##f), \
      SG_ENTRY(_ZGVeN16v_##NAME##f), SG_ENTRY(_ZGVbN2v_##NAME), SG_ENTRY(_ZGVcN4v_##NAME),  \
      SG_ENTRY(_ZGVdN4v_##NAME), SG_ENTRY(_ZGVeN8v_##NAME)
  const Entry entries[] = {
      SG_ENTRY(GOMP_parallel),
      SG_ENTRY(omp_get_thread_num),
      SG_ENTRY(omp_get_num_threads),
      SG_ENTRY(aligned_alloc),
      SG_ENTRY(free),
      SG_ENTRY(madvise),
      {"memcpy", AddressOf<void*(void*, const void*, size_t)>(::memcpy)},
      {"memset", AddressOf<void*(void*, int, size_t)>(::memset)},
      {"pow", AddressOf<double(double, double)>(::pow)},
      {"powf", AddressOf<float(float, float)>(::powf)},
      SG_VECTOR(exp),
      SG_VECTOR(log),
      SG_VECTOR(tanh),
      SG_VECTOR(erf),
      SG_ENTRY(_ZGVbN4vv_powf),
      SG_ENTRY(_ZGVcN8vv_powf),
      SG_ENTRY(_ZGVdN8vv_powf),
      SG_ENTRY(_ZGVeN16vv_powf),
      SG_ENTRY(_ZGVbN2vv_pow),
      SG_ENTRY(_ZGVcN4vv_pow),
      SG_ENTRY(_ZGVdN4vv_pow),
      SG_ENTRY(_ZGVeN8vv_pow),
  };
#undef SG_VECTOR
#undef SG_ENTRY
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry.address;
  }
  return nullptr;
}

}  // namespace schedulegym
