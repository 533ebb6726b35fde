#include "agents/plan/constrained_field.h"

#include <algorithm>
#include <utility>

namespace schedulegym {
namespace {

// Completions drawn for one child among listed schedules; each keeps half of the keys of the one
// before.
constexpr int kListedDraws = 4;

}  // namespace

ConstrainedField::ConstrainedField(const KnobField& field, const KnobLimits& limits) {
  for (int sketch = 0; !field.is_listed() && sketch < field.sketches(); ++sketch) {
    problems_.push_back(
        std::make_unique<KnobProblem>(field.knobs(sketch), field.task()->target, limits));
  }
}

std::optional<FieldPlace> ConstrainedField::Draw(const KnobField& field, Rng& rng) const {
  if (problems_.empty()) return field.Draw(rng);
  const auto sketch = static_cast<int>(rng.Below(field.sketches()));
  const std::optional<Solution> solution = problems_[sketch]->sampler().Draw(rng);
  if (!solution) return std::nullopt;
  return FieldPlace{sketch, problems_[sketch]->PointOf(*solution)};
}

std::optional<FieldPlace> ConstrainedField::Child(const KnobField& field, const FieldPlace& a,
                                                  const FieldPlace& b, const std::vector<int>& keys,
                                                  Rng& rng) const {
  if (a.sketch != b.sketch) return std::nullopt;
  if (problems_.empty()) return ListedChild(field, a, b, keys, rng);
  const KnobProblem& problem = *problems_[a.sketch];
  if (!problem.sampler().domains()) return std::nullopt;
  Domains domains = *problem.sampler().domains();
  for (const int knob : keys) {
    const ValueMask both = (ValueMask{1} << a.point[knob]) | (ValueMask{1} << b.point[knob]);
    if (!domains.Keep(knob, both)) return std::nullopt;
  }
  const SolveResult child = Solve(domains, {}, rng);
  if (child.end != SolveEnd::kSolved) return std::nullopt;
  return FieldPlace{a.sketch, problem.PointOf(child.solution)};
}

bool ConstrainedField::HasSolution() const {
  return problems_.empty() || std::ranges::any_of(problems_, [](const auto& problem) {
           const SolutionSampler& sampler = problem->sampler();
           return sampler.domains() && (!sampler.is_exact() || sampler.count() > 0);
         });
}

std::optional<FieldPlace> ConstrainedField::ListedChild(const KnobField& field, const FieldPlace& a,
                                                        const FieldPlace& b, std::vector<int> keys,
                                                        Rng& rng) const {
  const KnobSpace& knobs = field.knobs(a.sketch);
  for (int draw = 0; draw < kListedDraws; ++draw) {
    OpenPoint fixed(knobs.dimensions());
    for (const int knob : keys) fixed[knob] = (rng.Chance(0.5) ? a : b).point[knob];
    const Result<ScheduleState> state = knobs.Complete(fixed, rng);
    std::optional<KnobPoint> point = state ? knobs.PointOf(*state) : std::nullopt;
    if (point) return FieldPlace{a.sketch, *std::move(point)};
    keys.resize(keys.size() / 2);
  }
  return std::nullopt;
}

bool ConstrainedField::Contains(const KnobField& field, const FieldPlace& place) const {
  if (problems_.empty()) return field.Exists(place);
  return problems_[place.sketch]->Contains(place.point);
}

}  // namespace schedulegym
