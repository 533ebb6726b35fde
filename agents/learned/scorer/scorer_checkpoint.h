// ScorerModel: a network with all that a prediction needs, and its place in a checkpoint.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/learned/checkpoint.h"
#include "agents/learned/scorer/score_line.h"
#include "agents/learned/scorer/scorer.h"
#include "env/base/spec.h"

namespace schedulegym {

// The kind and version of the file, as memories have it (env/base/model_state_file.h).
inline constexpr const char* kScorerKind = "scorer 1";

struct ScorerModel {
  Spec spec;
  ScorerOptions options;
  ScorerShape shape;
  std::vector<std::string> targets;  // by head; one "" serves all
  InputScale scale;
  ScoreLine line;
  std::unique_ptr<Scorer> scorer;
};

// For programs of such rows; weights as chance gives them, scales of these programs.
ScorerModel NewScorerModel(const Spec& spec, const ProgramRows& rows, std::span<const int> programs,
                           Rng rng);

void PutScorer(Checkpoint& checkpoint, const ScorerModel& model);
// Throws InputError, one line, for what is missing, of another shape, or trained on features that
// this version does not have.
ScorerModel ReadScorer(const Checkpoint& checkpoint);

// Tensors under NAME.0, NAME.1, ...; they are filled where they lie.
void PutTensors(Checkpoint& checkpoint, const std::string& name,
                const std::vector<at::Tensor>& tensors);
void FillTensors(const Checkpoint& checkpoint, const std::string& name,
                 const std::vector<at::Tensor>& tensors);

// A file of the kind, or the part of that kind of one that is made of parts.
Checkpoint ReadScorerFile(const std::string& path);
void WriteScorerFile(const std::string& path, const Checkpoint& checkpoint);

}  // namespace schedulegym
