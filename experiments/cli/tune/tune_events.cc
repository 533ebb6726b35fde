// Events of a search as JSON fields and as text: start, trial, done, scheduler. Both come from the
// same event, so that they agree; fields that are unknown are null. A failure carries the command
// that reproduces it. The best has notes if its time is from a model or table, or if its
// reference is not yet checked in every cell.
#include "experiments/cli/tune/tune_events.h"

#include <vector>

#include "env/base/text.h"
#include "env/measure/measurement.h"
#include "env/measure/verdict.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

const Timing* TimingOf(const Record& record) {
  return record.measurement.timing ? &*record.measurement.timing : nullptr;
}

const Timing* TimingOf(const std::optional<Record>& record) {
  return record ? TimingOf(*record) : nullptr;
}

void AddRatio(const Timing* timing, JsonObject& fields) {
  fields.push_back({"ratio", timing ? JsonValue(timing->ratio.median) : JsonValue()});
  fields.push_back({"ratio_low", timing ? JsonValue(timing->ratio.low) : JsonValue()});
  fields.push_back({"ratio_high", timing ? JsonValue(timing->ratio.high) : JsonValue()});
}

JsonValue VerdictField(const Timing* timing) {
  return timing ? JsonValue(VerdictName(VerdictOf(timing->ratio))) : JsonValue();
}

JsonValue SecondsOf(const Timing* timing) {
  return timing ? JsonValue(timing->seconds) : JsonValue();
}

std::string SpeedText(const Timing& timing, std::optional<double> gflops) {
  return FormatSeconds(timing.seconds) + (gflops ? ", " + FormatGflops(*gflops) : "");
}

JsonObject FailedFields(const std::map<Outcome, int64_t>& failed) {
  JsonObject fields;
  for (const auto& [outcome, count] : failed) fields.push_back({OutcomeName(outcome), count});
  return fields;
}

std::string TrialsText(const DoneEvent& event) {
  std::string text = std::to_string(event.trials) + " (" + std::to_string(event.ok) + " ok";
  for (const auto& [outcome, count] : event.failed) {
    text += ", " + std::to_string(count) + " " + OutcomeName(outcome);
  }
  return text + ") in " + FormatSeconds(event.elapsed) +
         ", stopped: " + StopReasonName(event.stopped) + CutShortText(event.stopped);
}

std::string Indented(const std::string& lines) {
  std::string text;
  for (const std::string& line : SplitLines(lines)) text += "    " + line + "\n";
  return text;
}

// A candidate without a record cannot be reproduced.
JsonValue ReproduceField(const Record& record, const ReproduceWords& words) {
  if (record.measurement.ok() || record.id.empty()) return {};
  return ReproduceCommand(record, words);
}

std::vector<JsonValue> FailureFields(const DoneEvent& event, const ReproduceWords& words) {
  std::vector<JsonValue> failures;
  for (const auto& [outcome, record] : event.first_failed) {
    failures.push_back(
        JsonObject{{"outcome", OutcomeName(outcome)},
                   {"message", record.measurement.message},
                   {"stderr", record.measurement.stderr_tail},
                   {"record", record.id.empty() ? JsonValue() : JsonValue(record.id)},
                   {"reproduce", ReproduceField(record, words)}});
  }
  return failures;
}

std::string FailuresText(const DoneEvent& event, const ReproduceWords& words) {
  std::string text;
  for (const auto& [outcome, record] : event.first_failed) {
    text += std::string("  failed  ") + OutcomeName(outcome) + ": " + record.measurement.message;
    text += "\n" + Indented(record.measurement.stderr_tail);
    if (!record.id.empty()) text += "          " + ReproduceCommand(record, words) + "\n";
  }
  return text;
}

JsonValue RefinedFields(const std::optional<RefinementGain>& refined) {
  if (!refined) return {};
  return JsonObject{{"gain", refined->speed},
                    {"trials", refined->trials},
                    {"after", refined->after},
                    {"agent", refined->agent}};
}

JsonObject FieldsOf(const Record& best, std::optional<double> gflops) {
  const Timing* timing = TimingOf(best);
  JsonObject fields = {{"seconds", SecondsOf(timing)}, {"gflops", gflops}};
  AddRatio(timing, fields);
  fields.push_back({"trace", best.trace});
  return fields;
}

std::string BestText(const DoneEvent& event) {
  if (!event.best) return "none";
  const Timing* timing = TimingOf(event.best);
  if (timing == nullptr) return "the reference schedule, for nothing succeeded; it was not timed";
  if (event.source == BestSource::kSearch) return TimingText(*timing, event.best_gflops);
  return SpeedText(*timing, event.best_gflops) +
         ": the reference schedule, nothing that was found is faster";
}

std::string RecordText(const std::optional<std::string>& id) {
  return id ? "  record  " + *id + "\n" : "";
}

// One line where there were no earlier records, else one for this search and one for all.
std::string BestsText(const DoneEvent& event) {
  const bool is_known_better = IsKnownBetter(event);
  if (event.known == 0 && !is_known_better) {
    return "  best    " + BestText(event) + "\n" + RecordText(BestRecordId(event));
  }
  std::string text = "  best of this run  " + BestText(event) + "\n";
  text += RecordText(BestRecordId(event));
  if (!is_known_better) {
    return text + "  best known        the same: earlier searches know nothing faster\n";
  }
  const Timing* timing = TimingOf(event.best_known);
  text += "  best known        ";
  text += timing ? TimingText(*timing, event.best_known_gflops) : "not timed";
  return text + ", of an earlier search\n" + RecordText(event.best_known->id);
}

std::string TraceText(const DoneEvent& event) {
  const std::optional<Record>& best = event.best_known ? event.best_known : event.best;
  if (!best) return "";
  return std::string("  trace") + (IsKnownBetter(event) ? " of the best known" : "") + "\n" +
         Indented(best->trace);
}

std::string FinalistsText(int finalists) {
  if (finalists == 0) return "";
  const std::string many = finalists == 1 ? "the best" : "the best " + std::to_string(finalists);
  return "  again   " + many + " measured once more at the end, in fresh processes\n";
}

std::string RefinedText(const std::optional<RefinementGain>& refined) {
  if (!refined) return "";
  const std::string speed = refined->speed ? FormatFixed(*refined->speed, 3) : "unknown speed";
  return "  droplet " + speed + " of the best after " + std::to_string(refined->after) +
         " trials of " + refined->agent + ", by " + std::to_string(refined->trials) + " trials\n";
}

double ChoosingSeconds(std::span<const DoneEvent> done) {
  double seconds = 0;
  for (const DoneEvent& event : done) seconds += event.time.schedule;
  return seconds;
}

// Warnings about the best.
std::string DoubtText(const DoneEvent& event) {
  if (!WasMeasured(event.best->measurement)) {
    return "  note    not measured: told by measurer " + MeasurerOf(event.best->measurement) + "\n";
  }
  if (event.verified) return "";
  return "  note    the reference beside it was not checked in every cell yet\n";
}

std::string WaitText(const SearchSeconds& time) {
  return "wait " + FormatSeconds(time.wait) + " (lock " + FormatSeconds(time.wait_lock) +
         ", calm " + FormatSeconds(time.wait_calm) + ", workers " +
         FormatSeconds(time.wait_workers) + ")";
}

}  // namespace

JsonObject StartFields(const StartEvent& event) {
  return {{"workload", event.task->workload},
          {"task", event.task->key.ToText()},
          {"target", event.task->target},
          {"agent", event.agent},
          {"seed", event.seed},
          {"host", event.host},
          {"known", event.known},
          {"known_best_seconds", SecondsOf(TimingOf(event.known_best))}};
}

JsonObject TrialFields(const TrialEvent& event, const ReproduceWords& words) {
  const Measurement& measurement = event.record.measurement;
  const Timing* timing = measurement.timing ? &*measurement.timing : nullptr;
  JsonObject fields = {{"task", event.record.task->key.ToText()},
                       {"index", event.record.index},
                       {"outcome", OutcomeName(measurement.outcome)},
                       {"seconds", SecondsOf(timing)},
                       {"gflops", event.gflops}};
  AddRatio(timing, fields);
  fields.push_back({"record", event.record.id});
  fields.push_back({"best_seconds", SecondsOf(TimingOf(event.best))});
  fields.push_back({"elapsed", event.elapsed});
  fields.push_back({"verdict", VerdictField(timing)});
  fields.push_back({"message", measurement.ok() ? JsonValue() : JsonValue(measurement.message)});
  fields.push_back({"stderr", measurement.ok() ? JsonValue() : JsonValue(measurement.stderr_tail)});
  fields.push_back({"reproduce", ReproduceField(event.record, words)});
  const Record* known = BestKnown(event);
  fields.push_back({"best_known_seconds", SecondsOf(known ? TimingOf(*known) : nullptr)});
  return fields;
}

JsonValue BestFields(const DoneEvent& event) {
  if (!event.best) return {};
  JsonObject fields = FieldsOf(*event.best, event.best_gflops);
  fields.push_back({"record", BestRecordId(event)});
  fields.push_back({"verdict", VerdictField(TimingOf(event.best))});
  fields.push_back({"source", BestSourceName(event.source)});
  fields.push_back({"verified", event.verified});
  return fields;
}

JsonValue BestKnownFields(const DoneEvent& event) {
  if (!IsKnownBetter(event)) return BestFields(event);
  JsonObject fields = FieldsOf(*event.best_known, event.best_known_gflops);
  fields.push_back({"record", event.best_known->id});
  fields.push_back({"verdict", VerdictField(TimingOf(event.best_known))});
  fields.push_back({"source", "known"});
  fields.push_back({"verified", event.verified});
  return fields;
}

JsonObject DoneFields(const DoneEvent& event, const ReproduceWords& words) {
  const SearchSeconds& seconds = event.time;
  const JsonObject time = {{"propose", seconds.propose},
                           {"compile", seconds.compile},
                           {"verify", seconds.verify},
                           {"measure", seconds.measure},
                           {"store", seconds.store},
                           {"schedule", seconds.schedule},
                           {"wait", seconds.wait},
                           {"other", seconds.other},
                           {"wait_lock", seconds.wait_lock},
                           {"wait_calm", seconds.wait_calm},
                           {"wait_workers", seconds.wait_workers}};
  return {{"task", event.task->key.ToText()},
          {"workload", event.task->workload},
          {"trials", event.trials},
          {"ok", event.ok},
          {"failed", FailedFields(event.failed)},
          {"elapsed", event.elapsed},
          {"stopped", StopReasonName(event.stopped)},
          {"best", BestFields(event)},
          {"time", time},
          {"failures", FailureFields(event, words)},
          {"refined", RefinedFields(event.refined)},
          {"finalists", event.finalists},
          {"best_known", BestKnownFields(event)}};
}

std::string TimingText(const Timing& timing, std::optional<double> gflops) {
  return SpeedText(timing, gflops) + ", " + FormatFixed(timing.ratio.median, 3) +
         " of the reference's speed (" + FormatFixed(timing.ratio.low, 3) + " to " +
         FormatFixed(timing.ratio.high, 3) + "): " + VerdictName(VerdictOf(timing.ratio));
}

std::string CutShortText(StopReason reason) { return IsCutShort(reason) ? ", cut short" : ""; }

std::string KnownText(const StartEvent& event) {
  std::string text = std::to_string(event.known) + " known records of this task";
  const Timing* best = TimingOf(event.known_best);
  return best ? text + ", best " + TimingText(*best, std::nullopt) : text + ", no success";
}

std::string ProgressBest(const std::optional<Record>& best, const Record* known_best) {
  const Timing* found = TimingOf(best);
  const Timing* known = known_best ? TimingOf(*known_best) : nullptr;
  std::string text;
  if (found) {
    text = (known ? "of this run " : "") + FormatSeconds(found->seconds) + ", " +
           FormatFixed(found->ratio.median, 2) + " of the reference's speed";
  }
  if (!known) return text;
  const bool is_found = found && IsBetter(best->measurement, known_best->measurement);
  const double seconds = is_found ? found->seconds : known->seconds;
  return text + (found ? ", best known " : "known ") + FormatSeconds(seconds);
}

JsonObject RevisedFields(const RevisedEvent& event) {
  return {{"task", event.task->key.ToText()},
          {"workload", event.task->workload},
          {"before_seconds", SecondsOf(TimingOf(event.before))},
          {"best_known_seconds", SecondsOf(TimingOf(event.best))},
          {"why", event.why},
          {"elapsed", event.elapsed}};
}

std::string RevisedText(const RevisedEvent& event) {
  const Timing* before = TimingOf(event.before);
  const Timing* best = TimingOf(event.best);
  return event.task->workload + ": best " + (before ? FormatSeconds(before->seconds) : "unknown") +
         " did not stand (" + event.why + "): best known now " +
         (best ? FormatSeconds(best->seconds) : "none");
}

std::string DoneText(const DoneEvent& event, const ReproduceWords& words, bool has_trace) {
  std::string text = event.task->workload + "\n" + BestsText(event);
  if (TimingOf(event.best)) text += DoubtText(event);
  text += FinalistsText(event.finalists) + RefinedText(event.refined);
  text += "  trials  " + TrialsText(event) + "\n" + FailuresText(event, words);
  text += "  time    propose " + FormatSeconds(event.time.propose) + ", compile " +
          FormatSeconds(event.time.compile) + ", verify " + FormatSeconds(event.time.verify) +
          ", measure " + FormatSeconds(event.time.measure) + ", store " +
          FormatSeconds(event.time.store) + ", " + WaitText(event.time) + ", other " +
          FormatSeconds(event.time.other) + "\n";
  return has_trace ? text + TraceText(event) : text;
}

JsonObject SchedulerFields(const std::string& scheduler, const std::optional<FitCounts>& fits,
                           std::span<const DoneEvent> done) {
  std::optional<int64_t> fitted, fallbacks;
  if (fits) {
    fitted = fits->fits;
    fallbacks = fits->fallbacks;
  }
  return {{"scheduler", scheduler},
          {"seconds", ChoosingSeconds(done)},
          {"fits", fitted},
          {"fallbacks", fallbacks}};
}

std::string SchedulerText(const std::string& scheduler, const std::optional<FitCounts>& fits,
                          std::span<const DoneEvent> done) {
  return "scheduler " + scheduler + ": chose for " + FormatSeconds(ChoosingSeconds(done)) +
         (fits ? ", " + FitsText(*fits) : "") + "\n";
}

std::string FitsText(const FitCounts& fits) {
  return std::to_string(fits.fits) + " curves fitted, " + std::to_string(fits.fallbacks) +
         " of them in vain";
}

}  // namespace schedulegym
