// KnobProblem: the knobs of a sketch as a constraint problem, with the limits of a target.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "agents/constraints/solve.h"
#include "env/program/targets/target.h"
#include "env/search/knob_space.h"

namespace schedulegym {

struct KnobLimits {
  // Results that the innermost lengths of a stage hold, in registers of the target; 0: no limit.
  // Spaces have their own option of this name, by the lowered code. Scalars count as vectors where
  // the stage has a knob for vectors that is at its first value.
  double spill = 4;
  // Operations of the innermost lengths of a stage together, where they are unrolled whole; 0: no
  // limit. The default is that of the space `schedulegym`, which unrolls so.
  int64_t code = 2'500;
  // Bytes of results that the two inner levels hold within the first cache, and the three inner
  // ones within the second; outermost iterations for each core.
  bool has_caches = false;
};

// A variable for each knob: a length of a tile, or the position of a value. Lengths that have to
// divide their loop, or to stay within it, do. The tiles of a stage that have most lengths, two at
// least, are those of its results, the others those of what it reduces (Ansor's SSRSRS).
class KnobProblem {
 public:
  // The knobs outlive this; `element_bytes` is the size of a result.
  KnobProblem(const KnobSpace& knobs, const Target& target, const KnobLimits& limits,
              int64_t element_bytes = 4);

  const ConstraintProblem& problem() const { return *problem_; }
  const SolutionSampler& sampler() const { return *sampler_; }
  // The variable of a knob has its number.
  KnobPoint PointOf(const Solution& solution) const;
  std::vector<std::optional<int64_t>> HintsOf(const KnobPoint& point) const;
  // Whether the point satisfies all constraints.
  bool Contains(const KnobPoint& point) const;

 private:
  struct StageTiles;

  void AddTile(const KnobTile& tile, StageTiles& stage);
  // By the knob that unrolls a reduction.
  void AddReduction(int knob, StageTiles& stage);
  // Variables of how often the code stands along the loop of a tile: by its lengths, and the lanes
  // of a vector.
  int AddCopies(const StageTiles& stage, size_t tile, int64_t lanes);
  int CopiesOf(const StageTiles& stage, size_t tile);
  // The same of a reduction, in which so many results stand at most.
  int ReducedCopiesOf(const StageTiles& stage, size_t number, int64_t results);
  void AddLimits(const StageTiles& stage, const Target& target, const KnobLimits& limits,
                 int64_t element_bytes);
  void AddSpill(const StageTiles& stage, const Target& target, const KnobLimits& limits,
                int64_t element_bytes);
  // The results of the inner levels below `bound`, and without the last length below `few`.
  void AddKept(const StageTiles& stage, size_t levels, int bound, int few, int lanes);
  // Variables of bounds: of scalars or vectors; none where fewer steps than vectors are unrolled;
  // none where a length is not 1; that of the choice at a position.
  int WhereVector(const StageTiles& stage, int64_t vectors, int lanes);
  int WhereUnrolled(const StageTiles& stage, int64_t vectors, int bound);
  int AtOne(int length, int bound);
  // Where the only reduction is cut to one step and a block stands unrolled.
  int WhereStraight(const StageTiles& stage, int64_t vectors, int bound);
  int AddSelected(int position, const std::vector<int>& choices);
  void AddMost(const std::vector<int>& operands, int64_t most);
  // The product of the operands, below a bound that is a variable.
  void AddBelow(const std::vector<int>& operands, int bound);

  const KnobSpace& knobs_;
  std::unique_ptr<ConstraintProblem> problem_;
  std::unique_ptr<SolutionSampler> sampler_;
};

}  // namespace schedulegym
