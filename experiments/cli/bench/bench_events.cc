// The events of `bench` as JSON, null where a value is unknown. Ratios have their interval under
// the same name with `_low` and `_high`. Phases of a throughput are seconds of a trial in the mean,
// by the names of `time` in `done`.
#include "experiments/cli/bench/bench_events.h"

#include <string>
#include <utility>
#include <vector>

#include "env/base/text.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

JsonObject PeerSeconds(const PeerSide& side) {
  JsonObject fields;
  for (const PeerResult& peer : side.peers) fields.push_back({peer.name, peer.seconds});
  return fields;
}

// ratio, ratio_low and ratio_high, the names begun so.
void AddRatio(const PeerSide& side, const std::string& name, JsonObject& fields) {
  const auto part = [&](double RatioInterval::*member) {
    return side.ratio ? JsonValue((*side.ratio).*member) : JsonValue();
  };
  fields.push_back({name, part(&RatioInterval::median)});
  fields.push_back({name + "_low", part(&RatioInterval::low)});
  fields.push_back({name + "_high", part(&RatioInterval::high)});
}

// Null where a value is unknown.
void AddEffort(const std::optional<SearchEffort>& effort, JsonObject& fields) {
  const bool is_timed = effort && effort->seconds > 0;
  fields.push_back({"trials", effort ? JsonValue(effort->trials) : JsonValue()});
  fields.push_back({"search_seconds", is_timed ? JsonValue(effort->seconds) : JsonValue()});
  fields.push_back(
      {"trials_per_second", effort ? JsonValue(effort->TrialsPerSecond()) : JsonValue()});
}

JsonValue TextOrNull(const std::string& text) { return text.empty() ? JsonValue() : text; }

JsonValue WorstFields(const RatioSummary& ratios) {
  if (!ratios.worst) return {};
  return JsonObject{{"workload", ratios.worst_workload}, {"ratio", *ratios.worst}};
}

JsonObject GroupFields(const std::vector<GroupSummary>& groups) {
  JsonObject fields;
  for (const GroupSummary& group : groups) {
    fields.push_back({group.name, JsonObject{{"rows", group.rows},
                                             {"geomean_ratio", group.any.geomean},
                                             {"geomean_ratio_plain", group.plain.geomean},
                                             {"worst", WorstFields(group.any)},
                                             {"worst_plain", WorstFields(group.plain)}}});
  }
  return fields;
}

JsonObject NetworkFields(const NetworkSums& sums) {
  return {{"seconds", sums.seconds},
          {"peer_seconds", sums.peer_seconds},
          {"tasks", sums.tasks},
          {"left_out", std::vector<JsonValue>(sums.left_out.begin(), sums.left_out.end())}};
}

// Of a trial in the mean, by the names of `time` in `done`.
std::vector<std::pair<const char*, double>> PhasesOf(const DoneEvent& done) {
  const SearchSeconds& time = done.time;
  std::vector<std::pair<const char*, double>> phases = {{"propose", time.propose},
                                                        {"compile", time.compile},
                                                        {"verify", time.verify},
                                                        {"measure", time.measure},
                                                        {"store", time.store},
                                                        {"wait", time.wait},
                                                        {"wait_lock", time.wait_lock},
                                                        {"wait_calm", time.wait_calm},
                                                        {"wait_workers", time.wait_workers},
                                                        {"other", time.other}};
  for (auto& [name, seconds] : phases) seconds /= static_cast<double>(done.trials);
  return phases;
}

}  // namespace

JsonObject RowFields(const BenchRow& row) {
  JsonObject fields = {{"workload", row.workload},
                       {"cores", row.cores},
                       {"seconds", row.seconds},
                       {"gflops", row.gflops},
                       {"peers", PeerSeconds(row.any)}};
  AddRatio(row.any, "ratio", fields);
  fields.push_back({"peak_gflops", row.peak_gflops});
  fields.push_back({"peak_fraction", row.peak_fraction});
  fields.push_back({"origin", row.origin});
  fields.push_back({"best_peer", TextOrNull(row.any.best_peer)});
  fields.push_back({"short_of_cores", row.short_of_cores});
  fields.push_back({"failure", TextOrNull(row.failure)});
  fields.push_back({"group", row.group});
  fields.push_back({"plain_peers", PeerSeconds(row.plain)});
  AddRatio(row.plain, "ratio_plain", fields);
  fields.push_back({"best_plain_peer", TextOrNull(row.plain.best_peer)});
  AddEffort(row.effort, fields);
  fields.push_back({"grade", TextOrNull(row.grade)});
  fields.push_back({"processes", row.processes});
  if (row.count > 0) fields.push_back({"count", row.count});
  fields.push_back({"stopped", row.effort ? TextOrNull(row.effort->stopped) : JsonValue()});
  return fields;
}

JsonObject SummaryFields(const BenchSummary& summary, const BenchOccasion& occasion) {
  JsonObject fields = {
      {"rows", summary.all.rows},
      {"geomean_ratio", summary.all.any.geomean},
      {"elapsed", summary.elapsed},
      {"failures", summary.failures},
      {"geomean_ratio_plain", summary.all.plain.geomean},
      {"worst", WorstFields(summary.all.any)},
      {"worst_plain", WorstFields(summary.all.plain)},
      {"groups", GroupFields(summary.groups)},
      {"trials_per_second", summary.trials_per_second},
      {"left_out", std::vector<JsonValue>(summary.left_out.begin(), summary.left_out.end())},
      {"command", occasion.command},
      {"started", occasion.started},
      {"machine", occasion.machine}};
  if (summary.network) fields.push_back({"network", NetworkFields(*summary.network)});
  return fields;
}

JsonObject ThroughputFields(const ThroughputRow& row, const DoneEvent& done) {
  JsonObject fields = {{"workload", row.workload},
                       {"cores", row.cores},
                       {"trials", done.trials},
                       {"ok", done.ok},
                       {"elapsed", done.elapsed},
                       {"trials_per_second", static_cast<double>(done.trials) / done.elapsed}};
  for (const auto& [name, seconds] : PhasesOf(done)) fields.push_back({name, seconds});
  fields.push_back({"agent", row.agent});
  return fields;
}

std::string ThroughputText(const ThroughputRow& row, const DoneEvent& done) {
  std::vector<std::string> phases;
  for (const auto& [name, seconds] : PhasesOf(done)) {
    phases.push_back(std::string(name) + " " + FormatSeconds(seconds));
  }
  const double rate = static_cast<double>(done.trials) / done.elapsed;
  return "throughput, " + std::to_string(row.cores) + " cores: " + FormatFixed(rate, 1) +
         " trials/s (" + std::to_string(done.ok) + " of " + std::to_string(done.trials) +
         " ok) of " + row.workload + ", agent " + row.agent + "; each: " + Join(phases, ", ") +
         " (compiling goes on meanwhile)";
}

}  // namespace schedulegym
