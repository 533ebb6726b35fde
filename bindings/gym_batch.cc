// Rows of observations, masks, rewards and flags of some environments as Python's arrays, and their
// infos. A column of infos that some rows lack has a flag for each row beside it (`_name`), as
// Gymnasium's vectors have. Ends of the mode SameStep stand in final_obs and final_info.
// Cost: O(rows * numbers of a row), all of it writing into arrays that exist.
#include <algorithm>

#include "bindings/bindings_internal.h"
#include "bindings/gym_batch_internal.h"

namespace schedulegym {

namespace py = pybind11;

namespace {

std::span<uint8_t> Bytes(py::array_t<bool>& array) {
  return {reinterpret_cast<uint8_t*>(array.mutable_data()), static_cast<size_t>(array.size())};
}

template <typename T>
py::array_t<T> Filled(int count, T value) {
  py::array_t<T> array(count);
  std::fill_n(array.mutable_data(), count, value);
  return array;
}

}  // namespace

GymArrays FreshArrays(const EnvironmentParts& parts, int rows) {
  GymArrays arrays;
  for (const auto& observation : parts.observations) {
    arrays.numbers.emplace_back(std::vector<py::ssize_t>{rows, observation->size()});
  }
  arrays.masks = py::array_t<int8_t>(std::vector<py::ssize_t>{rows, parts.actions->size()});
  return arrays;
}

GymBatch::GymBatch(const GymShape& shape, const VectorEnvironment& vector, std::vector<int> which,
                   GymArrays arrays)
    : shape_(shape),
      vector_(vector),
      which_(std::move(which)),
      arrays_(std::move(arrays)),
      rewards_(Filled(rows(), 0.0)),
      terminated_(Filled(rows(), false)),
      truncated_(Filled(rows(), false)),
      illegal_(Filled(rows(), false)) {
  if (is_same_step()) final_numbers_ = FreshArrays(vector.parts(), rows()).numbers;
}

VectorBuffers GymBatch::Buffers() {
  VectorBuffers buffers;
  for (auto& array : arrays_.numbers) buffers.observations.push_back(SpanOf(array));
  for (auto& array : final_numbers_) buffers.final_observations.push_back(SpanOf(array));
  buffers.masks = SpanOf(arrays_.masks);
  buffers.rewards = SpanOf(rewards_);
  buffers.terminated = Bytes(terminated_);
  buffers.truncated = Bytes(truncated_);
  buffers.illegal = Bytes(illegal_);
  return buffers;
}

Viewed GymBatch::Viewed() const {
  return py::make_tuple(Observation(arrays_.numbers), Infos(false));
}

SteppedRows GymBatch::Stepped() const {
  return py::make_tuple(Observation(arrays_.numbers), rewards_, terminated_, truncated_,
                        Infos(true));
}

py::object GymBatch::Observation(const std::vector<py::array_t<float>>& numbers) const {
  if (!shape_.form.as_dict) return numbers.at(0);
  py::dict all;
  for (size_t i = 0; i < numbers.size(); ++i) all[shape_.keys[i]] = numbers[i];
  return all;
}

py::dict GymBatch::Infos(bool stepped) const {
  const py::array_t<bool> all = Filled(rows(), true);
  py::dict infos;
  infos[shape_.action_mask] = arrays_.masks;
  infos["_action_mask"] = all;
  py::array_t<int64_t> counts(rows());
  for (int row = 0; row < rows(); ++row) {
    counts.mutable_data()[row] = vector_.environment(which_[row]).illegal_actions();
  }
  infos[shape_.illegal_actions] = counts;
  infos["_illegal_actions"] = all;
  if (stepped) infos[shape_.illegal] = Reasons();
  if (stepped) infos["_illegal"] = illegal_;
  AddEvaluationResults(stepped, infos);
  if (stepped && is_same_step()) AddEnds(infos);
  return infos;
}

py::object GymBatch::Reasons() const {
  py::object column = py::module_::import("numpy").attr("empty")(rows(), "object");
  for (int row = 0; row < rows(); ++row) {
    if (!illegal_.data()[row]) continue;
    const EnvironmentSlot& slot = vector_.slot(which_[row]);
    const bool is_replaced = is_same_step() && slot.last().is_over();
    const Environment& environment = is_replaced ? slot.ended() : slot.environment();
    column[py::int_(row)] = environment.reason();
  }
  return column;
}

// Adds results of the places that were evaluated at this step, and of ended episodes; where another
// episode started in the same step, to final_info.
void GymBatch::AddEvaluationResults(bool stepped, py::dict& infos) const {
  std::vector<int> now, ended;
  const auto is_replaced = [&](int row) {
    return stepped && is_same_step() && vector_.slot(which_[row]).last().is_over();
  };
  for (int row = 0; row < rows(); ++row) {
    const EnvironmentSlot& slot = vector_.slot(which_[row]);
    const Environment& environment = is_replaced(row) ? slot.ended() : slot.environment();
    const bool is_over = stepped && slot.last().is_over();
    if (!environment.evaluated() || !(is_over || slot.last().evaluated)) continue;
    (is_replaced(row) ? ended : now).push_back(row);
  }
  if (!now.empty()) {
    AddColumns(
        now, [&](int index) { return *vector_.environment(index).evaluated(); }, infos);
  }
  if (ended.empty()) return;
  py::dict final_info;
  AddColumns(
      ended, [&](int index) { return *vector_.slot(index).ended().evaluated(); }, final_info);
  infos["final_info"] = final_info;
  infos["_final_info"] = Flags(is_replaced);
}

void GymBatch::AddColumns(const std::vector<int>& rows_evaluated, const EvaluationResultOf& of,
                          py::dict& infos) const {
  auto speeds = Filled(rows(), 0.0), seconds = Filled(rows(), 0.0), doubts = Filled(rows(), 0.0);
  auto is_evaluated = Filled(rows(), false), has_seconds = Filled(rows(), false);
  auto has_doubt = Filled(rows(), false);
  bool has_doubts = false;
  py::list outcomes;
  for (int row = 0; row < rows(); ++row) outcomes.append(py::none());
  for (int row : rows_evaluated) {
    const EvaluationResult evaluation = of(which_[row]);
    outcomes[row] = OutcomeName(evaluation.outcome);
    is_evaluated.mutable_data()[row] = true;
    if (evaluation.ok()) speeds.mutable_data()[row] = evaluation.speed.median;
    if (evaluation.doubt) {
      doubts.mutable_data()[row] = *evaluation.doubt;
      has_doubt.mutable_data()[row] = has_doubts = true;
    }
    if (!evaluation.seconds) continue;
    seconds.mutable_data()[row] = *evaluation.seconds;
    has_seconds.mutable_data()[row] = true;
  }
  infos[shape_.outcome] = py::module_::import("numpy").attr("array")(outcomes, "object");
  infos["_outcome"] = is_evaluated;
  infos[shape_.speed] = speeds;
  infos["_speed"] = is_evaluated;
  infos[shape_.seconds] = seconds;
  infos["_seconds"] = has_seconds;
  if (!has_doubts) return;
  infos[shape_.doubt] = doubts;
  infos["_doubt"] = has_doubt;
}

void GymBatch::AddEnds(py::dict& infos) const {
  const auto is_over = [&](int row) { return vector_.slot(which_[row]).last().is_over(); };
  const py::array_t<bool> flags = Flags(is_over);
  if (std::none_of(flags.data(), flags.data() + rows(), [](bool flag) { return flag; })) return;
  py::object column = py::module_::import("numpy").attr("empty")(rows(), "object");
  for (int row = 0; row < rows(); ++row) {
    column[py::int_(row)] = is_over(row) ? FinalRow(row) : py::none();
  }
  infos["final_obs"] = column;
  infos["_final_obs"] = flags;
}

py::object GymBatch::FinalRow(int row) const {
  std::vector<py::array_t<float>> numbers;
  for (const auto& array : final_numbers_) {
    py::array_t<float> one(array.shape(1));
    std::copy_n(array.data(row, 0), array.shape(1), one.mutable_data());
    numbers.push_back(one);
  }
  return Observation(numbers);
}

py::array_t<bool> GymBatch::Flags(const std::function<bool(int row)>& of) const {
  py::array_t<bool> flags(rows());
  for (int row = 0; row < rows(); ++row) flags.mutable_data()[row] = of(row);
  return flags;
}

}  // namespace schedulegym
