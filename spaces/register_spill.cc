#include "spaces/register_spill.h"

#include <algorithm>
#include <cstdint>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/features/loop_nests.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

// Of 1400 random schedules of six operators on one AVX-512 core, of both spaces, none with more
// than twice as many results as registers was within a factor of two of the best. With more than
// four times as many, all were slower by factors of 2.6 to 19.
constexpr double kMostSpill = 4;

// Vectors, or scalars without a vector loop; 0 where results do not stay in registers.
int64_t ResultsKept(const LoopNest& nest, const Target& target) {
  const NestAccess& store = nest.accesses[0];
  const int64_t lanes = std::max(1, target.VectorLanes(store.element_bytes));
  int64_t results = 1;
  for (int level = static_cast<int>(nest.loops.size()) - 1; level >= 0; --level) {
    if (store.strides[level] == 0) return results;
    // A loop around stores the results before its next iteration.
    if (level < nest.flat_level) return 0;
    const NestLoop& loop = nest.loops[level];
    const bool is_vector = loop.annotation == Annotation::kVectorize;
    results *= is_vector ? CeilDivide(loop.extent, lanes) : loop.extent;
  }
  return 0;
}

}  // namespace

Result<void> CheckSpill(const ScheduleState& state, double most) {
  if (most == 0) return {};
  const Target& target = state.task().target;
  const auto limit = static_cast<int64_t>(most * target.vector_registers);
  for (const LoopNest& nest : FindLoopNests(state).nests) {
    const int64_t results = nest.first_reduction ? ResultsKept(nest, target) : 0;
    if (results <= limit) continue;
    return InvalidSchedule("found " + std::to_string(results) + " vectors of results of " +
                           state.stage(nest.stage).op->name + " in one block, expected at most " +
                           std::to_string(limit) + " (" + std::to_string(target.vector_registers) +
                           " registers)");
  }
  return {};
}

double ReadMostSpill(SpecReader& reader, const std::string& who) {
  const double most = reader.Number("spill", kMostSpill);
  if (most == 0 || most >= 1) return most;
  throw InputError(who + ": spill=" + FormatDouble(most) + ", expected 0 or at least 1");
}

}  // namespace schedulegym
