// A checkpoint of a scorer: `model` (spec), `features` (meaning of the columns), `shape` (columns,
// of a task, heads), `targets` (a line for each head), `scale.rows` and `scale.tasks`, `line`
// (slope and offset), and of its tensors `weights.N` and `buffers.N`. Trainings add their own
// entries. Another version's features are refused with both names. Cost: O(bytes).
#include "agents/learned/scorer/scorer_checkpoint.h"

#include <utility>

#include "agents/cost/shipped_models.h"
#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/scorer/network_internal.h"
#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

[[noreturn]] void Refuse(const std::string& name, const std::string& found,
                         const std::string& expected) {
  throw InputError("the model's " + name + ": found " + found + ", expected " + expected);
}

ScorerShape ReadShape(const Checkpoint& checkpoint, const ScorerOptions& options) {
  const std::vector<uint64_t>& words = checkpoint.WordsOf("shape");
  constexpr uint64_t kMostHeads = 4096;
  if (words.size() != 3 || words[2] < 1 || words[2] > kMostHeads) {
    Refuse("shape", std::to_string(words.size()) + " numbers", "columns, columns of a task, heads");
  }
  const ProgramRows rows = EmptyRows(options);
  const bool fits = words[0] == static_cast<uint64_t>(rows.columns) &&
                    words[1] == static_cast<uint64_t>(rows.task_columns);
  if (!fits) {
    Refuse("columns", std::to_string(words[0]) + " and " + std::to_string(words[1]),
           std::to_string(rows.columns) + " and " + std::to_string(rows.task_columns));
  }
  return {rows.columns, rows.task_columns, static_cast<int>(words[2])};
}

std::vector<float> ReadScale(const Checkpoint& checkpoint, const std::string& name, int columns) {
  return checkpoint.FloatsOf(name, {columns}).values;
}

}  // namespace

ScorerModel NewScorerModel(const Spec& spec, const ProgramRows& rows, std::span<const int> programs,
                           Rng rng) {
  ScorerModel model;
  model.spec = spec;
  model.options = ReadScorerOptions(spec);
  model.targets = rows.targets;
  model.shape = {rows.columns, rows.task_columns, static_cast<int>(rows.targets.size())};
  model.scale = ScaleOf(rows, programs);
  model.scorer = MakeScorer(model.options, model.shape, rng);
  return model;
}

void PutScorer(Checkpoint& checkpoint, const ScorerModel& model) {
  checkpoint.Put("model", model.spec.ToText());
  checkpoint.Put("features", MeaningOf(model.options));
  const auto word = [](int value) { return static_cast<uint64_t>(value); };
  checkpoint.Put("shape",
                 Checkpoint::Words{{3},
                                   {word(model.shape.columns), word(model.shape.task_columns),
                                    word(model.shape.heads)}});
  checkpoint.Put("targets", Join(model.targets, "\n"));
  checkpoint.Put("scale.rows",
                 Checkpoint::Floats{{std::ssize(model.scale.rows)}, model.scale.rows});
  checkpoint.Put("scale.tasks",
                 Checkpoint::Floats{{std::ssize(model.scale.tasks)}, model.scale.tasks});
  checkpoint.Put("line", Checkpoint::Doubles{{2}, {model.line.slope, model.line.offset}});
  PutTensors(checkpoint, "weights", model.scorer->parameters());
  PutTensors(checkpoint, "buffers", model.scorer->buffers());
}

ScorerModel ReadScorer(const Checkpoint& checkpoint) {
  ScorerModel model;
  model.spec = RequireSpec("model", checkpoint.Text("model"));
  model.options = ReadScorerOptions(model.spec);
  const std::string expected = MeaningOf(model.options);
  const std::string& found = checkpoint.Text("features");
  if (found != expected) Refuse("features", "'" + found + "'", "'" + expected + "'");
  model.shape = ReadShape(checkpoint, model.options);
  const std::string& targets = checkpoint.Text("targets");
  model.targets = targets.empty() ? std::vector<std::string>{""} : SplitLines(targets);
  if (std::ssize(model.targets) != model.shape.heads) {
    Refuse("targets", std::to_string(model.targets.size()), std::to_string(model.shape.heads));
  }
  model.scale = {ReadScale(checkpoint, "scale.rows", model.shape.columns),
                 ReadScale(checkpoint, "scale.tasks", model.shape.task_columns)};
  const std::vector<double>& line = checkpoint.DoublesOf("line", {2}).values;
  model.line = {line[0], line[1]};
  model.scorer = MakeScorer(model.options, model.shape, Rng(0));
  FillTensors(checkpoint, "weights", model.scorer->parameters());
  FillTensors(checkpoint, "buffers", model.scorer->buffers());
  return model;
}

void PutTensors(Checkpoint& checkpoint, const std::string& name,
                const std::vector<at::Tensor>& tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    checkpoint.Put(name + "." + std::to_string(i),
                   Checkpoint::Floats{tensors[i].sizes().vec(), NumbersOf(tensors[i])});
  }
}

void FillTensors(const Checkpoint& checkpoint, const std::string& name,
                 const std::vector<at::Tensor>& tensors) {
  const c10::NoGradGuard guard;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::vector<float>& found =
        checkpoint.FloatsOf(name + "." + std::to_string(i), tensors[i].sizes().vec()).values;
    tensors[i].copy_(ViewOf(std::span(found)).view(tensors[i].sizes()));
  }
}

Checkpoint ReadScorerFile(const std::string& path) {
  return ParseCheckpoint(ReadSavedModel(path, {kScorerKind}).text, path);
}

void WriteScorerFile(const std::string& path, const Checkpoint& checkpoint) {
  OutputFile file(path, KeptFile::kLearned);
  file.Write(ToBytes(SavedModelState{kScorerKind, ToBytes(checkpoint)}));
  file.Commit();
}

}  // namespace schedulegym
