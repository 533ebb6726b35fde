#include "agents/transfer/donors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/measure/outcome.h"
#include "env/measure/store/program_set.h"
#include "env/measure/store/record_store.h"
#include "env/program/workloads/task_family.h"

namespace schedulegym {
namespace {

std::vector<Donor> DonorsOfStore(const std::string& path) {
  const std::unique_ptr<RecordStore> store = OpenStore(path, StoreMode::kRead);
  std::vector<Donor> donors;
  for (Record& best : store->BestOfEach()) {
    donors.push_back(
        {*best.task, "", std::move(best.trace), best.measurement.timing->ratio.median});
  }
  if (!donors.empty()) return donors;
  try {
    ProgramsOf(*store, [](const std::string&) { return std::string(); });
  } catch (const InputError& error) {
    throw InputError("agent transfer: from '" + path + "': " + error.what());
  }
  return donors;
}

std::vector<Donor> DonorsOfPrograms(const std::string& path) {
  ProgramSet set = ReadPrograms(path);
  std::vector<std::optional<size_t>> best(set.tasks.size());
  for (size_t i = 0; i < set.programs.size(); ++i) {
    const MeasuredProgram& program = set.programs[i];
    std::optional<size_t>& known = best[program.task];
    if (program.outcome != Outcome::kOk) continue;
    if (!known || program.ratio.median > set.programs[*known].ratio.median) known = i;
  }
  std::vector<Donor> donors;
  for (size_t task = 0; task < best.size(); ++task) {
    if (!best[task]) continue;
    MeasuredProgram& program = set.programs[*best[task]];
    donors.push_back({set.tasks[task].info, "", std::move(program.trace), program.ratio.median});
  }
  return donors;
}

}  // namespace

std::vector<Donor> ReadDonors(const std::string& path) {
  std::vector<Donor> donors =
      path.ends_with(kProgramsEnding) ? DonorsOfPrograms(path) : DonorsOfStore(path);
  for (Donor& donor : donors) donor.family = FamilyOf(donor.task.workload, donor.task.dag);
  return donors;
}

size_t ChooseNetwork(const std::map<std::string, double>& shares,
                     const std::vector<std::vector<Donor>>& networks) {
  SG_CHECK(!networks.empty(), "a network to choose");
  size_t chosen = 0;
  double most = -1;
  for (size_t i = 0; i < networks.size(); ++i) {
    std::map<std::string, int> counts;
    for (const Donor& donor : networks[i]) ++counts[donor.family];
    double promise = 0;
    for (const auto& [family, share] : shares) {
      const auto own = counts.find(family);
      if (own != counts.end()) promise += share * std::sqrt(own->second);
    }
    if (promise > most) chosen = i;
    most = std::max(most, promise);
  }
  return chosen;
}

std::vector<size_t> DonorsFor(const TaskInfo& task, const std::vector<Donor>& donors,
                              const DonorRules& rules) {
  const std::string family = FamilyOf(task.workload, task.dag);
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t i = 0; i < donors.size(); ++i) {
    const Donor& donor = donors[i];
    if (donor.task.dag == task.dag || (rules.same_family && donor.family != family)) continue;
    const double distance =
        SizeDistance(task.dag, donor.task.dag).value_or(std::numeric_limits<double>::infinity());
    ranked.emplace_back(rules.order == DonorOrder::kShape ? distance : -donor.speed, i);
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<double, size_t>::first);
  std::vector<size_t> order;
  for (const auto& one : ranked) order.push_back(one.second);
  return order;
}

}  // namespace schedulegym
