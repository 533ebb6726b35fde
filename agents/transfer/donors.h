// Donors: the best known schedules of other tasks, and those that may serve a task.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "env/measure/record.h"

namespace schedulegym {

// The best schedule of a task that was measured.
struct Donor {
  TaskInfo task;
  std::string family;  // of the task (FamilyOf)
  std::string trace;
  double speed = 0;  // relative to the task's reference
};

// The best of each task of a file of programs (`.points.gz`), or of a record store. Throws
// InputError for other files.
std::vector<Donor> ReadDonors(const std::string& path);

enum class DonorOrder { kShape, kSpeed };

struct DonorRules {
  bool same_family = true;
  DonorOrder order = DonorOrder::kShape;
};

// Of several networks' donors the position of those that promise most (Gibson and Cano, PACT 2022):
// the sum over families of share * sqrt(donors of the family), where `shares` has the part of the
// target's work that is of a family. The first of equal ones. At least one network.
size_t ChooseNetwork(const std::map<std::string, double>& shares,
                     const std::vector<std::vector<Donor>>& networks);

// Positions of the donors that a task may try, in order: the nearest in size first, those of
// another form last; or the fastest first. Donors with the same computation are left out.
std::vector<size_t> DonorsFor(const TaskInfo& task, const std::vector<Donor>& donors,
                              const DonorRules& rules);

}  // namespace schedulegym
