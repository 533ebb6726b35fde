// ScorerModel: a network with all data that a prediction needs, and its checkpoint.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/learned/checkpoint.h"
#include "agents/learned/scorer/score_line.h"
#include "agents/learned/scorer/scorer.h"
#include "env/base/spec.h"

namespace schedulegym {

// Kind and version of the file (env/base/model_state_file.h).
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

// A model for such rows, with random weights and the scales of `programs`.
ScorerModel NewScorerModel(const Spec& spec, const ProgramRows& rows, std::span<const int> programs,
                           Rng rng);

void PutScorer(Checkpoint& checkpoint, const ScorerModel& model);
// Throws InputError, one line, if an entry is missing or has another shape, or if the features are
// not those of this version.
ScorerModel ReadScorer(const Checkpoint& checkpoint);

// Tensors are entries NAME.0, NAME.1, ...; FillTensors fills them in place.
void PutTensors(Checkpoint& checkpoint, const std::string& name,
                const std::vector<at::Tensor>& tensors);
void FillTensors(const Checkpoint& checkpoint, const std::string& name,
                 const std::vector<at::Tensor>& tensors);

// Reads a file of kScorerKind, or the part of that kind in a file of several parts.
Checkpoint ReadScorerFile(const std::string& path);
void WriteScorerFile(const std::string& path, const Checkpoint& checkpoint);

}  // namespace schedulegym
