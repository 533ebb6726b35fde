#include "agents/schedulers/slot.h"

#include <algorithm>
#include <limits>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

[[noreturn]] void Refuse(const std::string& scheduler, const std::string& message) {
  throw InputError("scheduler '" + scheduler + "': key 'slot' is " + message);
}

double ReadSize(SpecReader& reader, const std::string& scheduler, const Spec& slot) {
  const bool is_trials = slot.name == "trials";
  const double size =
      is_trials ? static_cast<double>(reader.RequiredInteger("n")) : reader.Number("s", 0);
  reader.Finish();
  const double least = is_trials ? 1 : std::numeric_limits<double>::min();
  if (size >= least && size <= std::numeric_limits<double>::max()) return size;
  Refuse(scheduler, slot.ToText() + ", expected " +
                        (is_trials ? "at least 1 trial" : "seconds(s=S), more than 0 seconds"));
}

}  // namespace

Slot ReadSlot(SpecReader& reader, const std::string& scheduler, const Slot& usual) {
  const std::optional<Spec> spec = reader.OptionalSpec("slot");
  if (!spec) return usual;
  SpecReader options(*spec, "slot");
  if (spec->name == "turn") {
    options.Finish();
    return {};
  }
  if (spec->name == "trials") return {SlotKind::kTrials, ReadSize(options, scheduler, *spec)};
  if (spec->name == "seconds") return {SlotKind::kSeconds, ReadSize(options, scheduler, *spec)};
  Refuse(scheduler, "'" + spec->ToText() + "', expected turn, trials(n=N) or seconds(s=S)");
}

SlotOptions ReadSlotOptions(const Spec& spec) {
  SpecReader reader(spec, "scheduler");
  SlotOptions options;
  options.slot = ReadSlot(reader, spec.name);
  options.task_patience = reader.Integer("task_patience", 0);
  if (options.task_patience < 0) {
    throw InputError("scheduler '" + spec.name + "': key 'task_patience' is " +
                     std::to_string(options.task_patience) + ", expected an integer of at least 0");
  }
  reader.Finish();
  return options;
}

double GivenSlot::SpentOn(const TaskCurve& curve) const {
  switch (slot_.kind) {
    case SlotKind::kTurn: return static_cast<double>(curve.own_turns().size());
    case SlotKind::kTrials: return static_cast<double>(curve.trials());
    case SlotKind::kSeconds: return curve.seconds();
  }
  return 0;
}

std::optional<int> GivenSlot::Holder(const SchedulerView& view, std::span<const int> active) const {
  if (!task_ || !std::binary_search(active.begin(), active.end(), *task_)) return std::nullopt;
  const double spent = SpentOn(view.curves[*task_]) - begin_;
  return spent < slot_.size ? task_ : std::nullopt;
}

int GivenSlot::Give(int task, const SchedulerView& view) {
  task_ = task;
  begin_ = SpentOn(view.curves[task]);
  return task;
}

std::vector<int> ActiveTasks(std::span<const TaskCurve> curves, int64_t patience) {
  std::vector<int> active;
  for (int i = 0; i < static_cast<int>(curves.size()); ++i) {
    const bool rests = patience > 0 && curves[i].trials_since_gain() >= patience;
    if (!curves[i].finished && !rests) active.push_back(i);
  }
  return active;
}

}  // namespace schedulegym
