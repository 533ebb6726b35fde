// ConstrainedField: places of a task that satisfy the limits of its target, drawn and bred.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "agents/common/knob_field.h"
#include "agents/constraints/knob_problem.h"

namespace schedulegym {

class ConstrainedField {
 public:
  // Where the space lists its schedules, these alone are the solutions.
  ConstrainedField(const KnobField& field, const KnobLimits& limits);

  // A sketch, each alike, then one of its solutions; none where the draw led nowhere.
  std::optional<FieldPlace> Draw(const KnobField& field, Rng& rng) const;
  // A solution of the parents' sketch in which each key knob has the value of one of the two; all
  // others are near random values. None where there is none, or none was found.
  std::optional<FieldPlace> Child(const KnobField& field, const FieldPlace& a, const FieldPlace& b,
                                  const std::vector<int>& keys, Rng& rng) const;
  bool Contains(const KnobField& field, const FieldPlace& place) const;
  // Whether any sketch has a solution, as far as they are counted.
  bool HasSolution() const;

 private:
  std::optional<FieldPlace> ListedChild(const KnobField& field, const FieldPlace& a,
                                        const FieldPlace& b, std::vector<int> keys, Rng& rng) const;

  std::vector<std::unique_ptr<KnobProblem>> problems_;  // by sketch; none of listed schedules
};

}  // namespace schedulegym
