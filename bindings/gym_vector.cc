// Vectors of environments for Python: steps without the interpreter's lock, arrays used again only
// when no other object holds them. Sent environments are in flight until they are received;
// waiting for them wakes every 50 ms, so that Ctrl-C is handled. Arrays of received ones are fresh.
#include <pybind11/numpy.h>
#include <utility>
#include <vector>

#include "assembly/catalog.h"
#include "bindings/bindings_internal.h"
#include "bindings/gym_batch_internal.h"
#include "bindings/gym_internal.h"
#include "env/gym/asynchronous_environments.h"

namespace schedulegym {
namespace {

// An array that the user still refers to, also by a view, is not reused: a new one is made.
template <typename T>
class ArrayPool {
 public:
  explicit ArrayPool(std::vector<pybind11::ssize_t> shape) : shape_(std::move(shape)) {}

  pybind11::array_t<T> Take() {
    for (const pybind11::array_t<T>& array : arrays_) {
      if (Py_REFCNT(array.ptr()) == 1) return array;
    }
    pybind11::array_t<T> array(shape_);
    if (arrays_.size() < kMost) arrays_.push_back(array);
    return array;
  }

 private:
  static constexpr size_t kMost = 4;
  std::vector<pybind11::ssize_t> shape_;
  std::vector<pybind11::array_t<T>> arrays_;
};

}  // namespace

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace)

namespace {

constexpr int kMostEnvironments = 1 << 20;

class GymVector {
 public:
  GymVector(const EnvironmentRequest& request, const ObservationForm& form, int count,
            const std::string& autoreset, int threads, std::optional<int> most_actions,
            const std::vector<int>& workload_of)
      : shape_(MakeEnvironmentParts(request, BuiltinCatalog()), form),
        options_{CheckedCount("num_envs", count, kMostEnvironments), ToAutoreset(autoreset),
                 CheckedCount("threads", threads, 1024), most_actions,
                 CheckedWorkloads(workload_of, count, *shape_.parts)},
        vector_(std::make_unique<VectorEnvironment>(shape_.parts, options_)),
        flights_(std::make_unique<AsynchronousEnvironments>(*vector_)),
        masks_({count, shape_.parts->actions->size()}) {
    for (const auto& observation : shape_.parts->observations) {
      numbers_.emplace_back(std::vector<py::ssize_t>{count, observation->size()});
    }
    for (int i = 0; i < count; ++i) all_.push_back(i);
    if (form.names.size() != shape_.parts->observations.size()) {
      throw InputError(
          "observation: found 'text', expected numbers: a native vector has arrays "
          "(vectorization_mode='sync' has texts)");
    }
  }

  int size() const { return vector_->size(); }
  const GymShape& shape() const { return shape_; }

  Viewed Reset(const std::optional<std::vector<uint64_t>>& seeds,
               const std::optional<std::vector<bool>>& which) {
    CheckLanded("reset()");
    if (seeds) Seed(*seeds);
    const std::vector<uint8_t> chosen = ToBytes(which);
    GymBatch batch = BatchOfAll();
    VectorBuffers buffers = batch.Buffers();
    {
      const py::gil_scoped_release unlocked;
      vector_->Reset(buffers, chosen);
      for (int i = 0; i < size() && !chosen.empty(); ++i) {
        if (chosen[i] == 0) vector_->WriteView(i, i, buffers);
      }
    }
    began_ = true;
    return batch.Viewed();
  }

  SteppedRows Step(const py::array& actions) {
    CheckLanded("step()");
    const std::vector<int> chosen = ToActions(actions, all_);
    GymBatch batch = BatchOfAll();
    {
      const py::gil_scoped_release unlocked;
      vector_->Step(chosen, batch.Buffers());
    }
    return batch.Stepped();
  }

  void SendResets(const std::optional<std::vector<uint64_t>>& seeds,
                  const std::optional<std::vector<bool>>& which) {
    const std::vector<uint8_t> chosen = ToBytes(which);
    std::vector<int> ids;
    for (int i = 0; i < size(); ++i) {
      if (chosen.empty() || chosen[i] != 0) ids.push_back(i);
    }
    for (int id : ids) CheckLanded(id);
    if (seeds) {
      CheckLanded("a seed");
      Seed(*seeds);
    }
    if (!began_ && ids.size() < all_.size()) {
      throw InputError("reset_mask: found no episodes, expected all to be reset at first");
    }
    const py::gil_scoped_release unlocked;
    flights_->SendResets(ids);
    began_ = true;
  }

  void Send(const py::array& actions, const py::array& env_ids) {
    const std::vector<int> ids = ToIds(env_ids);
    const std::vector<int> chosen = ToActions(actions, ids);
    const py::gil_scoped_release unlocked;
    flights_->Send(ids, chosen);
  }

  SteppedRows Receive(int count) {
    CheckedCount("count", count, size());
    if (flights_->in_flight() == 0) {
      throw InputError("recv: found no environment in flight, expected send() or async_reset()");
    }
    while (!IsReady(count)) {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    const std::vector<int> ids = flights_->Receive(count);
    GymBatch batch(shape_, *vector_, ids, FreshArrays(*shape_.parts, static_cast<int>(ids.size())));
    const VectorBuffers buffers = batch.Buffers();
    for (size_t row = 0; row < ids.size(); ++row) {
      vector_->WriteStep(ids[row], static_cast<int>(row), buffers);
    }
    return WithIds(batch.Stepped(), ids);
  }

  std::vector<int> InFlight() {
    std::vector<int> ids;
    for (int i = 0; i < size(); ++i) {
      if (flights_->is_in_flight(i)) ids.push_back(i);
    }
    return ids;
  }

  std::string TextOf(int index) { return At(index).ToText(); }
  ScheduleState StateOf(int index) { return OrRefuse(At(index).episode().state()); }
  std::vector<std::string> Texts() {
    CheckLanded("all texts");
    std::vector<std::string> texts;
    for (int i = 0; i < size(); ++i) texts.push_back(vector_->environment(i).ToText());
    return texts;
  }
  void Resume(int index, const std::string& text) {
    CheckLanded(CheckedIndex(index));
    Environment environment = vector_->environment(index);
    const Result<void> resumed = environment.Resume(text);
    if (!resumed) throw InputError("text of an environment: " + resumed.error().message);
    vector_->Set(index, environment);
    began_ = true;
  }
  // Observations and infos of the current places, after environments were replaced.
  Viewed Look() {
    CheckLanded("look()");
    GymBatch batch = BatchOfAll();
    const VectorBuffers buffers = batch.Buffers();
    for (int i = 0; i < size(); ++i) vector_->WriteView(i, i, buffers);
    return batch.Viewed();
  }

  // Drops environments that are in flight, and releases the measurer and its workers. Places can
  // still be read.
  void Close() {
    const auto parts = WithoutMeasuring(*shape_.parts);
    if (!parts) return;
    const py::gil_scoped_release unlocked;
    flights_.reset();
    auto rest = std::make_unique<VectorEnvironment>(parts, options_);
    for (int i = 0; i < size(); ++i) rest->Set(i, MovedTo(parts, vector_->environment(i)));
    vector_ = std::move(rest);
    shape_.parts = parts;
    flights_ = std::make_unique<AsynchronousEnvironments>(*vector_);
  }

 private:
  GymBatch BatchOfAll() {
    GymArrays arrays;
    for (ArrayPool<float>& pool : numbers_) arrays.numbers.push_back(pool.Take());
    arrays.masks = masks_.Take();
    return {shape_, *vector_, all_, std::move(arrays)};
  }

  // Waits at most 50 ms, during which signals are delayed.
  bool IsReady(int count) {
    constexpr double kMoment = 0.05;
    const py::gil_scoped_release unlocked;
    return flights_->Wait(count, kMoment);
  }

  static SteppedRows WithIds(SteppedRows step, const std::vector<int>& ids) {
    py::array_t<int64_t> numbers(static_cast<py::ssize_t>(ids.size()));
    py::array_t<bool> flags(numbers.size());
    std::copy(ids.begin(), ids.end(), numbers.mutable_data());
    std::fill_n(flags.mutable_data(), flags.size(), true);
    step[4]["env_id"] = numbers;
    step[4]["_env_id"] = flags;
    return step;
  }

  void CheckLanded(const std::string& call) const {
    const int count = flights_->in_flight();
    if (count == 0) return;
    throw InputError(call + ": found " + std::to_string(count) +
                     " environments in flight, expected recv() of all of them before");
  }
  void CheckLanded(int id) const {
    if (!flights_->is_in_flight(id)) return;
    throw InputError("environment " + std::to_string(id) +
                     " is in flight, expected recv() of it before");
  }

  std::vector<uint8_t> ToBytes(const std::optional<std::vector<bool>>& which) const {
    if (!which) return {};
    if (static_cast<int>(which->size()) == size()) return {which->begin(), which->end()};
    throw InputError("reset_mask: found " + std::to_string(which->size()) + " entries, expected " +
                     std::to_string(size()));
  }

  // Each once, and none in flight.
  std::vector<int> ToIds(const py::array& env_ids) const {
    std::vector<int> ids;
    std::vector<bool> seen(size(), false);
    for (int64_t id : ToNumbers("env_ids", env_ids, std::nullopt)) {
      if (id < 0 || id >= size()) {
        throw InputError("env_ids: found " + std::to_string(id) +
                         ", expected whole numbers from 0 to " + std::to_string(size() - 1));
      }
      if (seen[id]) {
        throw InputError("env_ids: found " + std::to_string(id) + " twice, expected each once");
      }
      seen[id] = true;
      ids.push_back(static_cast<int>(id));
      CheckLanded(ids.back());
    }
    return ids;
  }

  std::vector<int> ToActions(const py::array& actions, const std::vector<int>& ids) const {
    if (!began_) throw InputError("found no episodes, expected reset() before the first step");
    const int size = static_cast<int>(ids.size());
    const std::vector<int64_t> numbers = ToNumbers("actions", actions, size);
    std::vector<int> chosen;
    for (int i = 0; i < size; ++i) {
      chosen.push_back(CheckedAction(numbers[i], i, shape_.parts->actions->size()));
      if (vector_->slot(ids[i]).is_over() && options_.autoreset == Autoreset::kDisabled) {
        throw InputError("actions: environment " + std::to_string(ids[i]) +
                         " has ended, expected reset(options={'reset_mask': ...}) before");
      }
    }
    return chosen;
  }

  void Seed(const std::vector<uint64_t>& seeds) {
    if (static_cast<int>(seeds.size()) != size()) {
      throw InputError("seed: found " + std::to_string(seeds.size()) + ", expected " +
                       std::to_string(size()));
    }
    vector_->Seed(seeds);
  }

  int CheckedIndex(int index) const { return CheckedCount("index", index + 1, size()) - 1; }

  const Environment& At(int index) const {
    CheckLanded(CheckedIndex(index));
    const Environment& environment = vector_->environment(index);
    if (!environment.has_begun()) throw InputError("found no episode, expected reset() before");
    return environment;
  }

  GymShape shape_;
  VectorOptions options_;
  std::unique_ptr<VectorEnvironment> vector_;
  std::unique_ptr<AsynchronousEnvironments> flights_;
  std::vector<ArrayPool<float>> numbers_;
  ArrayPool<int8_t> masks_;
  std::vector<int> all_;  // numbers of all environments
  bool began_ = false;
};

}  // namespace

void BindGymVector(py::module_& module) {
  using V = GymVector;
  py::class_<V> vector(module, "GymVector", "Many environments that step at once.");
  BindSpaces(vector);
  vector
      .def(py::init<const EnvironmentRequest&, const ObservationForm&, int, const std::string&, int,
                    std::optional<int>, const std::vector<int>&>(),
           "request"_a, "form"_a, "count"_a, "autoreset"_a, "threads"_a, "most_actions"_a,
           "workload_of"_a,
           Docstring("Makes environments without episodes.")
               .Arg("request", "What each is asked for.")
               .Arg("form", "How observations are handed out; texts are not.")
               .Arg("count", "How many, 1 to 2**20.")
               .Arg("autoreset", "'NextStep', 'SameStep' or 'Disabled'.")
               .Arg("threads", "That step them, 1 to 1024.")
               .Arg("most_actions", "After which an episode is truncated; None: never.")
               .Arg("workload_of", "The position of each one's task; empty: episodes draw.")
               .Raises("InputError", "Something that is asked for does not exist or does not fit.")
               .Raises("MachineError", "Nothing can be measured for the target here.")
               .text())
      .def("reset", &V::Reset, "seeds"_a, "which"_a,
           Docstring("Begins episodes.")
               .Arg("seeds", "One for each environment, or None.")
               .Arg("which", "A flag for each environment, or None for all.")
               .Returns("Observations and infos, a row for each environment.")
               .Raises("InputError", "Environments are in flight, or a list has another length.")
               .text())
      .def("step", &V::Step, "actions"_a,
           Docstring("Takes an action in each environment.")
               .Arg("actions", "Whole numbers of shape (count,).")
               .Returns("Observations, rewards (float64), terminated, truncated and infos, a row "
                        "for each environment.")
               .Raises("InputError", "They are no such numbers, or an environment cannot step.")
               .text())
      .def("send_resets", &V::SendResets, "seeds"_a, "which"_a,
           Docstring("Begins episodes, whose observations receive() hands out.")
               .Arg("seeds", "One for each environment, or None.")
               .Arg("which", "A flag for each environment, or None for all.")
               .Raises("InputError", "One of them is in flight, or a list has another length.")
               .text())
      .def("send", &V::Send, "actions"_a, "env_ids"_a,
           Docstring("Takes actions in some environments, which are in flight from then on.")
               .Arg("actions", "Whole numbers, one for each id.")
               .Arg("env_ids", "Whole numbers, each once.")
               .Raises("InputError", "They are no such numbers, or one is in flight.")
               .text())
      .def("receive", &V::Receive, "count"_a,
           Docstring("Waits for environments in flight.")
               .Arg("count", "For how many, 1 to the number of environments.")
               .Returns("As step() does, of the first that are ready; infos has `env_id`.")
               .Raises("InputError", "None is in flight.")
               .Raises("MachineError", "Measuring failed; those not ready are where they stood.")
               .text())
      .def("in_flight", &V::InFlight,
           Docstring("Lists the environments that were sent and not received.")
               .Returns("Their numbers, rising.")
               .text())
      .def("close", &V::Close, "Lets go of all that measures.")
      .def("look", &V::Look,
           Docstring("Observes all environments, without a step.")
               .Returns("Observations and infos, a row for each environment.")
               .Raises("InputError", "Environments are in flight.")
               .text())
      .def("to_text", &V::TextOf, "index"_a,
           Docstring("Writes the episode of an environment.")
               .Arg("index", "The environment's number.")
               .Returns("Lines of text, for resume().")
               .Raises("InputError", "Environments are in flight, or have no episode.")
               .text())
      .def("texts", &V::Texts,
           Docstring("Writes the episodes of all environments.")
               .Returns("A text for each.")
               .Raises("InputError", "Environments are in flight.")
               .text())
      .def("state", &V::StateOf, "index"_a,
           Docstring("Finds the schedule where an environment stands.")
               .Arg("index", "The environment's number.")
               .Returns("A ScheduleState.")
               .Raises("InputError", "Environments are in flight, or have no episode.")
               .text())
      .def("resume", &V::Resume, "index"_a, "text"_a,
           Docstring("Lets an environment go on where another stood.")
               .Arg("index", "The environment's number.")
               .Arg("text", "The other's to_text().")
               .Raises("InputError", "The text is of one that was asked for otherwise.")
               .text());
}

}  // namespace schedulegym
