#include "agents/tuner/known_records.h"

#include <algorithm>
#include <set>
#include <utility>

namespace schedulegym {

std::vector<Record> KnownRecords(const RecordStore& store, const Key& task,
                                 std::string_view toolchain) {
  std::vector<Record> all = store.ForTask(task);
  std::vector<Record> known;
  std::set<Key> candidates;
  for (size_t i = all.size(); i-- > 0;) {
    if (all[i].suspect || !MayLearnFrom(all[i].measurement.outcome)) continue;
    if (!toolchain.empty() && ToolchainOf(all[i]) != toolchain) continue;
    if (candidates.insert(CandidateKey(all[i])).second) known.push_back(std::move(all[i]));
  }
  std::reverse(known.begin(), known.end());
  return known;
}

std::vector<Trial> TrialsOf(std::vector<Record> records, int number,
                            const std::shared_ptr<const Task>& task) {
  std::vector<Trial> trials;
  for (Record& record : records) {
    Result<ScheduleState> state = ReplayText(task, record.trace);
    if (!state) continue;
    const Key key = record.state_key;
    trials.push_back({number, *std::move(state), key, Told::kKnown,
                      std::make_shared<const Record>(std::move(record))});
  }
  return trials;
}

}  // namespace schedulegym
