#include "experiments/bench/bench_row.h"

#include <algorithm>
#include <map>
#include <set>

namespace schedulegym {
namespace {

// Of one session, in seconds since 1970.
struct Span {
  double begin = 0;
  double end = 0;
};

// Compiling runs ahead, so it does not delay the end of a candidate.
double EndOf(const Record& record) {
  const PhaseSeconds& phases = record.measurement.phases;
  return record.started + phases.verify + phases.measure;
}

}  // namespace

std::optional<double> SearchEffort::TrialsPerSecond() const {
  if (trials == 0 || seconds <= 0) return std::nullopt;
  return static_cast<double>(trials) / seconds;
}

SearchEffort EffortOf(std::span<const Record> records, const std::optional<SearchSpecs>& specs) {
  std::set<Key> candidates;
  std::map<std::string, Span> sessions;
  for (const Record& record : records) {
    if (specs && (record.agent != specs->agent || record.space != specs->space)) continue;
    candidates.insert(CandidateKey(record));
    if (!record.measurement.session) continue;
    const auto [session, is_new] = sessions.try_emplace(record.measurement.session->id);
    Span& span = session->second;
    span.begin = is_new ? record.started : std::min(span.begin, record.started);
    span.end = is_new ? EndOf(record) : std::max(span.end, EndOf(record));
  }
  SearchEffort effort = {static_cast<int64_t>(candidates.size()), 0};
  for (const auto& [id, span] : sessions) effort.seconds += span.end - span.begin;
  return effort;
}

}  // namespace schedulegym
