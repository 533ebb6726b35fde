#include "env/gym/observations/builtin_observations.h"

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

[[noreturn]] void RefuseText(const std::string& name) {
  std::vector<std::string> numbers;
  for (const ObservationEntry& entry : BuiltinObservations()) {
    if (entry.make != nullptr) numbers.push_back(entry.name);
  }
  throw InputError("observation " + name + " is no numbers, expected one of " +
                   Join(numbers, ", "));
}

}  // namespace

std::vector<ObservationEntry> BuiltinObservations() {
  return {
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
      {"text", "", "the loop nest as text; no numbers", nullptr},
  };
}

std::unique_ptr<Observation> MakeObservation(const Spec& spec) {
  std::vector<std::string> known;
  for (const ObservationEntry& entry : BuiltinObservations()) {
    if (entry.name == spec.name && entry.make == nullptr) RefuseText(entry.name);
    if (entry.name == spec.name) return entry.make(spec);
    known.push_back(entry.name);
  }
  throw InputError(UnknownName("observation", spec.name, known));
}

}  // namespace schedulegym
