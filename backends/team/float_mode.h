// FloatMode: rounding, exceptions and denormals of the calling thread's vector arithmetic.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace schedulegym {

inline unsigned FloatMode() {
#if defined(__x86_64__)
  constexpr unsigned kFlags = 0x3F;  // what has happened, no part of the mode
  return _mm_getcsr() & ~kFlags;
#else
  return 0;
#endif
}

inline void SetFloatMode([[maybe_unused]] unsigned mode) {
#if defined(__x86_64__)
  if (FloatMode() != mode) _mm_setcsr(mode);
#endif
}

}  // namespace schedulegym
