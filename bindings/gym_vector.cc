// Vectors of environments for Python: steps without the interpreter's lock, arrays reused only when
// nobody else holds them.
#include <pybind11/numpy.h>

#include "bindings/bindings_internal.h"
#include "bindings/gym_internal.h"
#include "env/base/text.h"
#include "env/gym/vector_environment.h"

namespace schedulegym {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

constexpr int kMostEnvironments = 1 << 20;

// Arrays of one shape. What a user still holds, or a view of, is left alone: a new one is made.
template <typename T>
class ArrayPool {
 public:
  explicit ArrayPool(std::vector<py::ssize_t> shape) : shape_(std::move(shape)) {}

  py::array_t<T> Take() {
    for (const py::array_t<T>& array : arrays_) {
      if (Py_REFCNT(array.ptr()) == 1) return array;
    }
    py::array_t<T> array(shape_);
    if (arrays_.size() < kMost) arrays_.push_back(array);
    return array;
  }

 private:
  static constexpr size_t kMost = 4;
  std::vector<py::ssize_t> shape_;
  std::vector<py::array_t<T>> arrays_;
};

template <typename T>
std::span<T> SpanOf(py::array_t<T>& array) {
  return {array.mutable_data(), static_cast<size_t>(array.size())};
}

Autoreset ToAutoreset(const std::string& mode) {
  const std::vector<std::string> names = {"NextStep", "SameStep", "Disabled"};
  const auto found = std::find(names.begin(), names.end(), mode);
  if (found == names.end()) throw InputError(UnknownName("autoreset mode", mode, names));
  return static_cast<Autoreset>(found - names.begin());
}

int Checked(const std::string& argument, int value, int most) {
  if (value >= 1 && value <= most) return value;
  throw InputError(argument + ": found " + std::to_string(value) + ", expected 1 to " +
                   std::to_string(most));
}

class GymVector {
 public:
  GymVector(const GymRequest& request, const ObservationForm& form, int count,
            const std::string& autoreset, int threads, std::optional<int> most_actions)
      : shape_(MakeEnvironmentParts(request), form),
        vector_(shape_.parts,
                {Checked("num_envs", count, kMostEnvironments), ToAutoreset(autoreset),
                 Checked("threads", threads, 1024), most_actions}),
        masks_({count, shape_.parts->actions->size()}),
        all_(count) {
    const bool same_step = vector_.options().autoreset == Autoreset::kSameStep;
    for (const auto& observation : shape_.parts->observations) {
      numbers_.emplace_back(std::vector<py::ssize_t>{count, observation->size()});
      if (!same_step) continue;
      final_numbers_.emplace_back(static_cast<size_t>(count) * observation->size());
    }
    std::fill_n(all_.mutable_data(), count, true);
    if (form.names.size() != shape_.parts->observations.size()) {
      throw InputError(
          "observation: found 'text', expected numbers: a native vector has arrays "
          "(vectorization_mode='sync' has texts)");
    }
  }

  int size() const { return vector_.size(); }
  const GymShape& shape() const { return shape_; }

  py::tuple Reset(const std::optional<std::vector<uint64_t>>& seeds,
                  const std::optional<std::vector<bool>>& which) {
    if (seeds) Seed(*seeds);
    std::vector<uint8_t> chosen;
    if (which) chosen.assign(which->begin(), which->end());
    if (which && static_cast<int>(chosen.size()) != size()) {
      throw InputError("reset_mask: found " + std::to_string(chosen.size()) +
                       " entries, expected " + std::to_string(size()));
    }
    Arrays arrays = Take();
    if (which && last_) CopyRows(*last_, arrays);
    {
      const py::gil_scoped_release unlocked;
      vector_.Reset(arrays.Buffers(), chosen);
    }
    began_ = true;
    return Hand(std::move(arrays), false);
  }

  py::tuple Step(const py::array& actions) {
    const std::vector<int> chosen = ToActions(actions);
    Arrays arrays = Take();
    {
      const py::gil_scoped_release unlocked;
      VectorBuffers buffers = arrays.Buffers();
      for (auto& numbers : final_numbers_) buffers.final_observations.emplace_back(numbers);
      vector_.Step(chosen, buffers);
    }
    return Hand(std::move(arrays), true);
  }

  std::string TextOf(int index) const { return At(index).ToText(); }
  ScheduleState StateOf(int index) const { return OrRefuse(At(index).walk().state()); }
  std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (int i = 0; i < size(); ++i) texts.push_back(vector_.environment(i).ToText());
    return texts;
  }
  void Resume(int index, const std::string& text) {
    Environment environment = vector_.environment(Checked("index", index + 1, size()) - 1);
    const Result<void> resumed = environment.Resume(text);
    if (!resumed) throw InputError("text of an environment: " + resumed.error().message);
    vector_.Set(index, environment);
    began_ = true;
  }
  // What is seen now, and nothing else: after environments were put in place.
  py::tuple Look() {
    Arrays arrays = Take();
    for (int i = 0; i < size(); ++i) {
      for (size_t which = 0; which < numbers_.size(); ++which) {
        const int width = shape_.parts->observations[which]->size();
        vector_.environment(i).WriteObservation(
            which, SpanOf(arrays.numbers[which]).subspan(static_cast<size_t>(i) * width, width));
      }
      const int width = shape_.parts->actions->size();
      vector_.environment(i).WriteMask(
          SpanOf(arrays.masks).subspan(static_cast<size_t>(i) * width, width));
    }
    return Hand(std::move(arrays), false);
  }

 private:
  struct Arrays {
    std::vector<py::array_t<float>> numbers;
    py::array_t<int8_t> masks;
    py::array_t<double> rewards;
    py::array_t<bool> terminated, truncated, illegal;

    VectorBuffers Buffers() {
      VectorBuffers buffers;
      for (auto& array : numbers) buffers.observations.push_back(SpanOf(array));
      buffers.masks = SpanOf(masks);
      buffers.rewards = SpanOf(rewards);
      buffers.terminated = Bytes(terminated);
      buffers.truncated = Bytes(truncated);
      buffers.illegal = Bytes(illegal);
      return buffers;
    }
    static std::span<uint8_t> Bytes(py::array_t<bool>& array) {
      return {reinterpret_cast<uint8_t*>(array.mutable_data()), static_cast<size_t>(array.size())};
    }
  };

  Arrays Take() {
    Arrays arrays;
    for (ArrayPool<float>& pool : numbers_) arrays.numbers.push_back(pool.Take());
    arrays.masks = masks_.Take();
    arrays.rewards = py::array_t<double>(size());
    arrays.terminated = py::array_t<bool>(size());
    arrays.truncated = py::array_t<bool>(size());
    arrays.illegal = py::array_t<bool>(size());
    std::fill_n(arrays.rewards.mutable_data(), size(), 0.0);
    for (auto* flags : {&arrays.terminated, &arrays.truncated, &arrays.illegal}) {
      std::fill_n(flags->mutable_data(), size(), false);
    }
    return arrays;
  }

  // Rows that a partial reset leaves as they are.
  void CopyRows(const Arrays& from, Arrays& to) const {
    for (size_t i = 0; i < from.numbers.size(); ++i) {
      std::copy_n(from.numbers[i].data(), from.numbers[i].size(), to.numbers[i].mutable_data());
    }
    std::copy_n(from.masks.data(), from.masks.size(), to.masks.mutable_data());
  }

  py::object Observation(const std::vector<py::array_t<float>>& numbers) const {
    if (!shape_.form.as_dict) return numbers.at(0);
    py::dict all;
    for (size_t i = 0; i < numbers.size(); ++i) all[shape_.keys[i]] = numbers[i];
    return all;
  }

  py::tuple Hand(Arrays arrays, bool stepped) {
    py::dict infos;
    infos[shape_.action_mask] = arrays.masks;
    infos["_action_mask"] = all_;
    py::array_t<int64_t> counts(size());
    for (int i = 0; i < size(); ++i) {
      counts.mutable_data()[i] = vector_.environment(i).illegal_actions();
    }
    infos[shape_.illegal_actions] = counts;
    infos["_illegal_actions"] = all_;
    if (stepped) infos[shape_.illegal] = arrays.illegal;
    if (stepped) infos["_illegal"] = all_;
    AddJudgements(infos, stepped);
    if (stepped && vector_.options().autoreset == Autoreset::kSameStep) AddEnds(infos);
    py::object observation = Observation(arrays.numbers);
    if (vector_.options().autoreset == Autoreset::kDisabled) last_ = arrays;
    if (!stepped) return py::make_tuple(observation, infos);
    return py::make_tuple(observation, arrays.rewards, arrays.terminated, arrays.truncated, infos);
  }

  // Of the places judged at this step, and of those where an episode ended; where another began in
  // the same step, into final_info.
  void AddJudgements(py::dict& infos, bool stepped) {
    const bool same_step = vector_.options().autoreset == Autoreset::kSameStep;
    std::vector<int> now, ended;
    for (int i = 0; i < size(); ++i) {
      const bool is_over = stepped && vector_.is_over(i);
      const bool is_replaced = is_over && same_step;
      const Environment& environment = is_replaced ? vector_.ended(i) : vector_.environment(i);
      if (!environment.judged() || !(is_over || vector_.was_judged(i))) continue;
      (is_replaced ? ended : now).push_back(i);
    }
    if (!now.empty()) {
      AddColumns(now, [&](int i) { return *vector_.environment(i).judged(); }, infos);
    }
    if (ended.empty()) return;
    py::dict final_info;
    AddColumns(ended, [&](int i) { return *vector_.ended(i).judged(); }, final_info);
    infos["final_info"] = final_info;
    py::array_t<bool> flags(size());
    for (int i = 0; i < size(); ++i) flags.mutable_data()[i] = vector_.is_over(i);
    infos["_final_info"] = flags;
  }

  template <typename Of>
  void AddColumns(const std::vector<int>& indices, const Of& of, py::dict& infos) const {
    py::array_t<double> speeds(size()), seconds(size());
    py::array_t<bool> is_judged(size()), has_seconds(size());
    py::list outcomes;
    std::fill_n(speeds.mutable_data(), size(), 0.0);
    std::fill_n(seconds.mutable_data(), size(), 0.0);
    std::fill_n(is_judged.mutable_data(), size(), false);
    std::fill_n(has_seconds.mutable_data(), size(), false);
    for (int i = 0; i < size(); ++i) outcomes.append(py::none());
    for (int i : indices) {
      const Judgement judgement = of(i);
      outcomes[i] = OutcomeName(judgement.outcome);
      is_judged.mutable_data()[i] = true;
      if (judgement.ok()) speeds.mutable_data()[i] = judgement.speed.median;
      if (!judgement.seconds) continue;
      seconds.mutable_data()[i] = *judgement.seconds;
      has_seconds.mutable_data()[i] = true;
    }
    infos[shape_.outcome] = py::module_::import("numpy").attr("array")(outcomes, "object");
    infos["_outcome"] = is_judged;
    infos[shape_.speed] = speeds;
    infos["_speed"] = is_judged;
    infos[shape_.seconds] = seconds;
    infos["_seconds"] = has_seconds;
  }

  void AddEnds(py::dict& infos) const {
    bool any = false;
    for (int i = 0; i < size(); ++i) any = any || vector_.is_over(i);
    if (!any) return;
    py::array_t<bool> flags(size());
    py::object column = py::module_::import("numpy").attr("empty")(size(), "object");
    for (int i = 0; i < size(); ++i) {
      flags.mutable_data()[i] = vector_.is_over(i);
      if (vector_.is_over(i)) column[py::int_(i)] = FinalRow(i);
    }
    infos["final_obs"] = column;
    infos["_final_obs"] = flags;
  }

  py::object FinalRow(int index) const {
    std::vector<py::array_t<float>> rows;
    for (size_t i = 0; i < final_numbers_.size(); ++i) {
      const int width = shape_.parts->observations[i]->size();
      rows.emplace_back(width);
      std::copy_n(final_numbers_[i].begin() + static_cast<long>(index) * width, width,
                  rows.back().mutable_data());
    }
    return Observation(rows);
  }

  std::vector<int> ToActions(const py::array& actions) const {
    if (!began_) throw InputError("found no episodes, expected reset() before the first step");
    const char kind = actions.dtype().kind();
    if ((kind != 'i' && kind != 'u') || actions.ndim() != 1 || actions.shape(0) != size()) {
      throw InputError("actions: found an array of " + std::string(py::str(actions.dtype())) +
                       " of shape " + std::string(py::str(actions.attr("shape"))) +
                       ", expected whole numbers of shape (" + std::to_string(size()) + ",)");
    }
    const auto numbers = py::array_t < int64_t,
               py::array::c_style | py::array::forcecast > (actions);
    const int count = shape_.parts->actions->size();
    std::vector<int> chosen(size());
    for (int i = 0; i < size(); ++i) {
      const int64_t action = numbers.data()[i];
      if (action < 0 || action >= count) {
        throw InputError("actions: found " + std::to_string(action) + " at " + std::to_string(i) +
                         ", expected whole numbers from 0 to " + std::to_string(count - 1));
      }
      if (vector_.is_over(i) && vector_.options().autoreset == Autoreset::kDisabled) {
        throw InputError("actions: environment " + std::to_string(i) +
                         " has ended, expected reset(options={'reset_mask': ...}) before");
      }
      chosen[i] = static_cast<int>(action);
    }
    return chosen;
  }

  void Seed(const std::vector<uint64_t>& seeds) {
    if (static_cast<int>(seeds.size()) != size()) {
      throw InputError("seed: found " + std::to_string(seeds.size()) + ", expected " +
                       std::to_string(size()));
    }
    vector_.Seed(seeds);
  }

  const Environment& At(int index) const {
    const Environment& environment = vector_.environment(Checked("index", index + 1, size()) - 1);
    if (!environment.has_begun()) throw InputError("found no episode, expected reset() before");
    return environment;
  }

  GymShape shape_;
  VectorEnvironment vector_;
  std::vector<ArrayPool<float>> numbers_;
  std::vector<std::vector<float>> final_numbers_;  // kSameStep: what was seen where episodes ended
  ArrayPool<int8_t> masks_;
  py::array_t<bool> all_;
  std::optional<Arrays> last_;  // kDisabled: what a partial reset goes on from
  bool began_ = false;
};

}  // namespace

void BindGymVector(py::module_& module) {
  using V = GymVector;
  py::class_<V>(module, "GymVector", "Many environments that step at once.")
      .def(py::init<const GymRequest&, const ObservationForm&, int, const std::string&, int,
                    std::optional<int>>(),
           "request"_a, "form"_a, "count"_a, "autoreset"_a, "threads"_a, "most_actions"_a)
      .def("reset", &V::Reset, "seeds"_a, "which"_a, "Observations and infos of new episodes.")
      .def("step", &V::Step, "actions"_a,
           "Observations, rewards, terminated, truncated, infos; one action for each.")
      .def("look", &V::Look, "Observations and infos of now.")
      .def("to_text", &V::TextOf, "index"_a, "All of an environment's episode.")
      .def("texts", &V::Texts, "All of each environment's episode.")
      .def("state", &V::StateOf, "index"_a, "The schedule of an environment's place.")
      .def("resume", &V::Resume, "index"_a, "text"_a,
           "Lets an environment go on where that of the text stood.");
}

}  // namespace schedulegym
