#include "experiments/cli/bench/bench_events.h"

#include <string>

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

// Null where nothing is known.
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

}  // namespace schedulegym
