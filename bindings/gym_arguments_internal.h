// What Python hands to environments, checked: each throws InputError that says what was expected.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/gym/environment_slot.h"

namespace schedulegym {

// A whole number of 0 to size - 1, NumPy's whole numbers included.
int ToAction(pybind11::handle action, int size);

// The same of one of many environments' actions.
int CheckedAction(int64_t action, int position, int size);

// One row of whole numbers; of `size` of them, where that is given.
std::vector<int64_t> ToNumbers(const std::string& argument, const pybind11::array& array,
                               std::optional<int> size);

// 1 to `most`.
int CheckedCount(const std::string& argument, int value, int most);

// Gymnasium's names.
Autoreset ToAutoreset(const std::string& mode);

// The position of a workload for each of `count` environments, or none at all.
std::vector<int> CheckedWorkloads(const std::vector<int>& workload_of, int count,
                                  const EnvironmentParts& parts);

}  // namespace schedulegym
