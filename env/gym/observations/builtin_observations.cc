#include "env/gym/observations/builtin_observations.h"

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kText = "text";

std::unique_ptr<Observation> RefuseText(const Spec&) {
  std::vector<std::string> numbers = BuiltinObservations().names();
  std::erase(numbers, kText);
  throw InputError(std::string("observation ") + kText + " is no numbers, expected one of " +
                   Join(numbers, ", "));
}

}  // namespace

Registry<ObservationMaker> BuiltinObservations() {
  return Registry<ObservationMaker>(
      "observation",
      {
          {"loops", "rows=40", "a row for each loop: extent, kind, strides, reuse",
           MakeLoopsObservation},
          {"ansor", "rows=16, pooled=false",
           "Ansor's 164 numbers of each statement; pooled: their maxima and means over statements",
           MakeAnsorObservation},
          {"tokens", "length=48, fields=20", "a row for each primitive of the trace, as TLP has it",
           MakeTokensObservation},
          {"history", "length=16", "the last actions, the newest first", MakeHistoryObservation},
          {"knobs", "most=48", "where modify, or a table, stands among the values of its knobs",
           MakeKnobsObservation},
          {"task", "definitions=8", "shapes and work of the computation, facts of the target",
           MakeTaskObservation},
          {kText, "", "the loop nest as text; no numbers", RefuseText},
      });
}

std::unique_ptr<Observation> MakeObservation(const Spec& spec) {
  return BuiltinObservations().Find(spec)(spec);
}

}  // namespace schedulegym
