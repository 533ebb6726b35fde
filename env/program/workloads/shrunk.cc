// Small awkward shapes of a task, for checking schedules. The workload is made again with its large
// parameters (above 4) replaced: primes in turn, then extents that are partly 1, then both with
// wide last extents for packed layouts. A parameter whose wanted value is not legal, or changes
// more than extents, falls back to 13, 11, 7, 5, 3, 2, then to halves; two passes, since one
// parameter may allow another only afterwards. A shape counts if it has at most 10^6 operations; of
// each kind the first that does is taken. Cost: one MakeWorkload for each value tried.
#include "env/program/workloads/shrunk.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "env/base/fault.h"
#include "env/program/analysis.h"
#include "env/program/language/syntax.h"
#include "env/program/workloads/builtin_files.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

constexpr double kMostFlops = 1e6;
// Parameters up to this are taken for windows, strides, batches and the like; they stay.
constexpr int64_t kSmall = 4;
// One parameter may be free to shrink only after another has: channels are multiples of groups.
constexpr int kPasses = 2;

// Extents that the large parameters take in turn, from the first on, or aligned so that the last
// parameter takes the last extent.
using Extents = std::array<int64_t, 5>;
struct Kind {
  std::span<const Extents> extents;  // the first with little enough work is taken
  bool from_last = false;
};
constexpr Extents kPrimes[] = {
    {37, 53, 29, 41, 31}, {17, 13, 19, 11, 7}, {11, 13, 7, 5, 3}, {5, 7, 3, 2, 5}, {3, 5, 2, 3, 2}};
constexpr Extents kThin[] = {{1, 13, 7, 3, 5}, {1, 5, 3, 2, 1}};
// The same with room for packs, whose tiles are at most as large as the packed extents: those of
// channels and columns, which come last.
constexpr Extents kRoomy[] = {{2, 3, 5, 53, 67}, {1, 2, 2, 53, 67}};
constexpr Extents kRoomyThin[] = {{1, 1, 1, 53, 67}};
constexpr Kind kKinds[] = {{kPrimes}, {kThin}, {kRoomy, true}, {kRoomyThin, true}};

// Values tried in order if the wanted value is not legal, or not smaller than before.
constexpr int64_t kFallBacks[] = {13, 11, 7, 5, 3, 2};

struct Parameter {
  std::string name;
  int64_t value = 0;
};

std::optional<ComputeDag> TryMake(const Spec& spec) {
  try {
    return MakeWorkload(spec);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

bool AreAlike(const Tensor& a, const Tensor& b) {
  return a.name == b.name && a.kind == b.kind && a.type == b.type && a.combiner == b.combiner &&
         a.shape.size() == b.shape.size() && a.reduce_axes.size() == b.reduce_axes.size();
}

// Whether they are equal except for extents, and for constants that follow from extents.
bool AreAlike(const ComputeDag& a, const ComputeDag& b) {
  return a.outputs() == b.outputs() &&
         std::equal(a.tensors().begin(), a.tensors().end(), b.tensors().begin(), b.tensors().end(),
                    [](const Tensor& x, const Tensor& y) { return AreAlike(x, y); });
}

std::vector<Parameter> ParametersOf(const Spec& spec) {
  std::vector<Parameter> parameters;
  for (const BuiltinOperator& entry : BuiltinOperators()) {
    if (entry.name != spec.name) continue;
    for (const WorkloadParameter& known : entry.parameters) {
      parameters.push_back({known.name, known.default_value.value_or(0)});
    }
    return parameters;
  }
  for (const ParameterSyntax& known : ParseSyntax(DagFileText(spec.name)).parameters) {
    parameters.push_back({known.name, known.value});
  }
  return parameters;
}

class Shrinking {
 public:
  // `spec` makes `dag`.
  Shrinking(Spec spec, const ComputeDag& dag)
      : spec_(std::move(spec)), dag_(dag), parameters_(ParametersOf(spec_)) {
    for (Parameter& parameter : parameters_) {
      if (const int64_t* given = Given(spec_, parameter.name)) parameter.value = *given;
    }
  }

  // The first shape of this kind that is possible.
  std::optional<Task> ShapeOf(const Kind& kind, const Target& target) const {
    for (const Extents& wanted : kind.extents) {
      const Spec spec = Shrunk(wanted, kind.from_last);
      std::optional<ComputeDag> made = TryMake(spec);
      if (!made || *made == dag_ || CountFlops(*made) > kMostFlops) continue;
      return Task{*std::move(made), target, spec.ToText()};
    }
    return std::nullopt;
  }

 private:
  static int64_t* Given(Spec& spec, const std::string& key) {
    for (SpecOption& option : spec.options) {
      if (option.key == key) return std::get_if<int64_t>(&option.value.value);
    }
    return nullptr;
  }

  Spec Shrunk(const Extents& wanted, bool from_last) const {
    const auto large = std::count_if(parameters_.begin(), parameters_.end(),
                                     [](const Parameter& one) { return one.value > kSmall; });
    Spec spec = spec_;
    for (int pass = 0; pass < kPasses; ++pass) {
      size_t turn = from_last ? wanted.size() - static_cast<size_t>(large) % wanted.size() : 0;
      for (const Parameter& parameter : parameters_) {
        if (parameter.value <= kSmall) continue;
        Shrink(spec, parameter, wanted[turn++ % wanted.size()]);
      }
    }
    return spec;
  }

  // Sets a parameter to the wanted value; if that is not legal, to a prime, or to half of its value
  // as often as that is legal.
  void Shrink(Spec& spec, const Parameter& parameter, int64_t wanted) const {
    std::vector<int64_t> extents = {wanted};
    extents.insert(extents.end(), std::begin(kFallBacks), std::end(kFallBacks));
    int64_t half = parameter.value;
    while (half % 2 == 0) half /= 2;
    for (; half < parameter.value; half *= 2) extents.push_back(half);
    for (int64_t extent : extents) {
      if (extent >= parameter.value) continue;
      Spec smaller = spec;
      Set(smaller, parameter.name, extent);
      const std::optional<ComputeDag> made = TryMake(smaller);
      if (!made || !AreAlike(*made, dag_)) continue;
      spec = std::move(smaller);
      return;
    }
  }

  static void Set(Spec& spec, const std::string& key, int64_t value) {
    if (int64_t* given = Given(spec, key)) {
      *given = value;
    } else {
      spec.options.push_back({key, {value}});
    }
  }

  Spec spec_;
  const ComputeDag& dag_;
  std::vector<Parameter> parameters_;
};

}  // namespace

std::vector<std::shared_ptr<const Task>> ShrunkTasks(const Task& task, size_t most) {
  std::vector<std::shared_ptr<const Task>> tasks;
  const Result<Spec> spec = ParseWorkload(task.name);
  if (!spec) return tasks;
  const std::optional<ComputeDag> made = TryMake(*spec);
  if (!made || !(*made == task.dag)) return tasks;
  const Shrinking shrinking(*spec, task.dag);
  for (const Kind& kind : kKinds) {
    std::optional<Task> shape = shrinking.ShapeOf(kind, task.target);
    const bool is_known = shape && !tasks.empty() && tasks.back()->name == shape->name;
    if (!shape || is_known || tasks.size() == most) continue;
    tasks.push_back(std::make_shared<const Task>(*std::move(shape)));
  }
  return tasks;
}

}  // namespace schedulegym
