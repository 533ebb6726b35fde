// Scorer: a network from rows of programs to scores.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/learned/scorer/program_batch.h"
#include "agents/learned/scorer/program_rows.h"
#include "agents/learned/scorer/scorer_options.h"
#include "env/base/rng.h"
#include "env/base/stop_token.h"

namespace at {
class Tensor;
}

namespace schedulegym {

struct ScorerShape {
  int columns = 1;
  int task_columns = 0;
  int heads = 1;
};

class Scorer {
 public:
  Scorer();
  virtual ~Scorer();
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;

  // Trained weights, which require gradients, and other state, such as running means. Both change
  // in place.
  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  const std::vector<at::Tensor>& buffers() const { return buffers_; }

  // [programs, encoded]: encodes each program independently. `weights` replace parameters(), so
  // that parts of a batch are encoded concurrently with gradients of their own. Threads may call it
  // concurrently. The batch outlives the result.
  virtual at::Tensor Encode(const ProgramBatch& batch,
                            std::span<const at::Tensor> weights) const = 0;
  // [programs, heads]. If `trains`, scores may depend on the other programs of the batch (batch
  // normalisation), and buffers are updated.
  virtual at::Tensor Score(const at::Tensor& encoded, bool trains) = 0;

 protected:
  std::vector<at::Tensor> parameters_, buffers_;
};

// With random initial weights.
std::unique_ptr<Scorer> MakeScorer(const ScorerOptions& options, const ScorerShape& shape, Rng rng);
std::unique_ptr<Scorer> MakeMlpScorer(const ScorerOptions& options, const ScorerShape& shape,
                                      Rng rng);
std::unique_ptr<Scorer> MakeTlpScorer(const ScorerOptions& options, const ScorerShape& shape,
                                      Rng rng);
std::unique_ptr<Scorer> MakePacmScorer(const ScorerOptions& options, const ScorerShape& shape,
                                       Rng rng);
std::unique_ptr<Scorer> MakeStagesScorer(const ScorerOptions& options, const ScorerShape& shape,
                                         Rng rng);
std::unique_ptr<Scorer> MakeOneshotScorer(const ScorerOptions& options, const ScorerShape& shape,
                                          Rng rng);
std::unique_ptr<Scorer> MakeRecursiveScorer(const ScorerOptions& options, const ScorerShape& shape,
                                            Rng rng);

// Scores `programs` in order, each by the head of its task's target. Parts of a fixed size run on
// `threads` threads, so the result does not depend on their number. Throws Interrupted.
std::vector<float> ScorePrograms(Scorer& scorer, const ProgramRows& rows,
                                 std::span<const int> programs, const InputScale& scale,
                                 int threads, const StopToken& stop = {});

}  // namespace schedulegym
