// The measurers: analytical (the estimate), model (a cost model, saved or by its spec), table
// (recorded times, optionally drawn from the recorded samples, or from a part of them) and host
// (workers on this machine). Tables are read once while path and modification time stay the same.
// A table is the only task and the only space of its search. Errors: InputError with the table's
// path, MachineError where the host cannot measure for the target.
#include "assembly/measuring/measurer_factory.h"

#include <sys/stat.h>

#include "agents/learned/scorer/scorer_options.h"
#include "assembly/processes/hosted_models.h"
#include "backends/interpreter/interpreter.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/base/option_range.h"
#include "env/base/text.h"
#include "env/features/estimated_seconds.h"
#include "env/gym/evaluators/analytical_measurer.h"
#include "env/gym/evaluators/model_measurer.h"
#include "env/gym/tables/table_file.h"
#include "env/gym/tables/table_measurer.h"
#include "env/gym/tables/table_space.h"
#include "env/measure/measurement.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

std::vector<ScheduleState> ReferencesOf(const MeasurerSetup& setup) {
  std::vector<ScheduleState> references;
  for (const auto& task : setup.tasks) references.push_back(ReferenceSchedule(task));
  return references;
}

// Of any task: nothing runs.
class PredictedPlan : public MeasurerFactory {
 public:
  bool IsMeasured() const override { return false; }
  std::shared_ptr<const Task> OnlyTask() const override { return nullptr; }
  std::unique_ptr<SearchSpace> OwnSpace() const override { return nullptr; }
};

class AnalyticalPlan : public PredictedPlan {
 public:
  explicit AnalyticalPlan(int version) { options_.version = version; }

  void Check(const Target& target) const override {
    CheckHasFormula(target);
    if (!target.IsGpu() || options_.version == 1) return;
    throw InputError("measurer analytical: found version=" + std::to_string(options_.version) +
                     ", which is of processors, expected version=1 for target '" +
                     target.BackendName() + "'");
  }
  std::string Toolchain(const Target& target) const override {
    return FormulaName(target, options_.version);
  }
  std::unique_ptr<Measurer> Make(const MeasurerSetup& setup) const override {
    return std::make_unique<AnalyticalMeasurer>(ReferencesOf(setup), options_);
  }

 private:
  AnalyticalCostOptions options_;
};

class ModelPlan : public PredictedPlan {
 public:
  explicit ModelPlan(Spec model) : model_(std::move(model)) {}

  void Check(const Target& target) const override {
    if (!target.IsGpu()) return;
    throw InputError(std::string("target: found '") + target.BackendName() +
                     "', for which models have no features yet, expected llvm");
  }
  std::string Toolchain(const Target&) const override { return model_.ToText(); }
  std::unique_ptr<Measurer> Make(const MeasurerSetup& setup) const override {
    return std::make_unique<ModelMeasurer>(
        model_.ToText(), MakeAnyCostModel({model_, Rng(setup.seed)}), ReferencesOf(setup));
  }

 private:
  Spec model_;
};

std::shared_ptr<const RecordedStates> ReadStates(const std::string& path) {
  auto table = std::make_shared<const Table>(ReadTable(path));
  if (table->facts().reference_seconds <= 0) {
    throw InputError("table " + path + ": found no time of the reference schedule, expected one");
  }
  try {
    return std::make_shared<const RecordedStates>(std::move(table));
  } catch (const InputError& fault) {
    throw InputError("table " + path + ": " + fault.what());
  }
}

class TablePlan : public MeasurerFactory {
 public:
  TablePlan(std::string path, std::shared_ptr<const RecordedStates> states,
            TableMeasurerOptions options)
      : path_(std::move(path)), states_(std::move(states)), options_(options) {}

  bool IsMeasured() const override { return false; }
  std::shared_ptr<const Task> OnlyTask() const override { return states_->table().task(); }
  std::unique_ptr<SearchSpace> OwnSpace() const override { return MakeTableSearchSpace({states_}); }
  // The toolchain of the recorded kernels, and of this table only.
  std::string Toolchain(const Target&) const override {
    return TableToolchain(states_->table().facts());
  }
  void Check(const Target& target) const override {
    try {
      CheckIsFor(states_->table(), target);
    } catch (const InputError& fault) {
      throw InputError("table " + path_ + ": " + fault.what());
    }
  }
  std::unique_ptr<Measurer> Make(const MeasurerSetup& setup) const override {
    for (const auto& task : setup.tasks) CheckIsOf(states_->table(), *task);
    const TableMeasurer::Recorded recorded = {states_, ReferenceSchedule(OnlyTask())};
    TableMeasurerOptions options = options_;
    options.seed = setup.seed;
    return std::make_unique<TableMeasurer>(std::vector{recorded}, options);
  }

 private:
  std::string path_;
  std::shared_ptr<const RecordedStates> states_;
  TableMeasurerOptions options_;
};

// Of table(settle=cv); none as recorded.
std::optional<Protocol> ReadSettle(const Spec& spec, SpecReader& reader) {
  RangedReader ranged(reader, "measurer table");
  Protocol protocol;
  protocol.settle = SettleRule::kVariation;
  const bool settles = reader.Choice("settle", "recorded", {"recorded", "cv"}) == "cv";
  protocol.variation = ranged.Number("cv", protocol.variation, 1e-6, 10);
  protocol.variation_rounds = ranged.Integer("cv_rounds", protocol.variation_rounds, 2, 128);
  if (settles) return protocol;
  for (const SpecOption& option : spec.options) {
    if (option.key != "cv" && option.key != "cv_rounds") continue;
    throw InputError("measurer table: " + option.key + " belongs to settle=cv, found recorded");
  }
  return std::nullopt;
}

class HostPlan : public MeasurerFactory {
 public:
  bool IsMeasured() const override { return true; }
  std::shared_ptr<const Task> OnlyTask() const override { return nullptr; }
  std::unique_ptr<SearchSpace> OwnSpace() const override { return nullptr; }
  std::string Toolchain(const Target& target) const override { return MeasuringToolchain(target); }
  void Check(const Target& target) const override { CheckMeasurable(target); }
  std::unique_ptr<Measurer> Make(const MeasurerSetup& setup) const override {
    return MeasurerOfHost(setup.tasks.at(0)->target, setup.protocol, setup.seed, setup.warn);
  }
};

}  // namespace

std::shared_ptr<const MeasurerFactory> MakeAnalyticalPlan(const Spec& spec) {
  SpecReader reader(spec, "measurer");
  const int version =
      RangedReader(reader, "measurer analytical").Integer("version", 1, 1, kLastEstimateVersion);
  reader.Finish();
  return std::make_shared<AnalyticalPlan>(version);
}

std::shared_ptr<const MeasurerFactory> MakePlanOfModel(const Spec& model) {
  return std::make_shared<ModelPlan>(model);
}

std::shared_ptr<const MeasurerFactory> MakeModelPlan(const Spec& spec) {
  // Reports faults in a network's options before the fault that it is not trained.
  for (const SpecOption& option : spec.options) {
    const auto* model = std::get_if<Spec>(&option.value.value);
    if (model != nullptr && IsScorer(model->name)) ReadScorerOptions(*model);
  }
  SpecReader reader(spec, "measurer");
  const Spec model = ReadModelSpec(reader, spec, "");
  reader.Finish();
  if (model.name.empty()) {
    throw InputError(
        "measurer 'model': key 'model' is missing, expected model(MODEL), a file of "
        "train or tune --save-model, or a trained one of list models");
  }
  return MakePlanOfModel(model);
}

Spec RequireMeasurer(const std::string& option, std::string_view text) {
  constexpr std::string_view kOpen = "model(";
  const std::string_view trimmed = Trim(text);
  if (!trimmed.starts_with(kOpen) || ParseSpec(trimmed)) return RequireSpec(option, text);
  const std::string model(trimmed.substr(kOpen.size()));
  const Result<Spec> named = ParseSpec("model(model=" + model);
  return named ? *named : RequireSpec(option, text);
}

std::shared_ptr<const RecordedStates> TableCache::Read(const std::string& path) {
  const std::lock_guard lock(mutex_);
  struct stat facts = {};
  const bool exists = stat(path.c_str(), &facts) == 0;
  const Version version = {facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
  const auto found = known_.find(path);
  if (exists && found != known_.end() && found->second.version == version) {
    return found->second.states;
  }
  auto states = ReadStates(path);
  known_.insert_or_assign(path, Known{version, states});
  return states;
}

TableChoice ReadTableChoice(const Spec& spec) {
  SpecReader reader(spec, "measurer");
  const std::string path = reader.Word("file", "");
  const TableMeasurerOptions options = {.noise = reader.Flag("noise", false),
                                        .settle = ReadSettle(spec, reader)};
  reader.Finish();
  if (path.empty()) throw InputError("measurer 'table': key 'file' is missing, expected file=FILE");
  return {path, options};
}

std::shared_ptr<const MeasurerFactory> MakeTablePlan(const Spec& spec, TableCache& tables) {
  const TableChoice choice = ReadTableChoice(spec);
  return std::make_shared<TablePlan>(choice.file, tables.Read(choice.file), choice.options);
}

std::shared_ptr<const MeasurerFactory> MakeHostPlan(const Spec& spec) {
  SpecReader(spec, "measurer").Finish();
  return std::make_shared<HostPlan>();
}

std::unique_ptr<Measurer> MeasurerOfHost(const Target& target, const Protocol& protocol,
                                         uint64_t seed, WarningFunction warn) {
  return MakeHostMeasurer(target,
                          {protocol, seed, ReferenceSchedule, MakeInterpreter, std::move(warn)});
}

std::optional<std::string> MissingForTarget(const Spec& target) {
  try {
    CheckMeasurable(MakeTarget(target));
    return std::nullopt;
  } catch (const MachineError& fault) {
    return fault.what();
  }
}

}  // namespace schedulegym
