// Features of a GPU that code uses only where its target names them.
#pragma once

namespace schedulegym {

// Copies from global to shared memory that threads do not wait for; `cuda` from sm_80 on.
inline constexpr char kAsyncCopyFeature[] = "async_copy";

}  // namespace schedulegym
