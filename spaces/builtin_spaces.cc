#include "spaces/builtin_spaces.h"

#include "spaces/ansor/sketch_space.h"
#include "spaces/schedulegym/schedulegym_space.h"

namespace schedulegym {

Registry<SpaceMaker> BuiltinSpaces() {
  return Registry<SpaceMaker>(
      "space",
      {
          {"schedulegym",
           "pack=true, layout=true, tails=true, register_tile=true, parity=true, rows=true, "
           "partial_sums=true, fuse=true, sensible=0.75, heuristic=0.05, code=2500, spill=4",
           "register tiles, packed inputs and weights, rows and partial sums, the rest fused or "
           "inlined",
           MakeSchedulegymSpace},
          {"ansor",
           "inline=true, cache_read=true, rfactor=true, cross_thread=true, cache_write=true, "
           "tile_and_fuse=true, tile=true, skip=true, layout=false, code=10000, vector=16, "
           "warps=32, "
           "spill=4",
           "Ansor's sketches for CPUs and GPUs with its random annotations, nothing added; "
           "cache_read, cross_thread, warps (of a block of an untiled stage): on GPUs; layout: "
           "weights stored in the order of their "
           "reading, on CPUs",
           MakeAnsorSpace},
      });
}

std::unique_ptr<SearchSpace> MakeSpace(const Spec& spec) {
  return BuiltinSpaces().Find(spec)(spec);
}

}  // namespace schedulegym
