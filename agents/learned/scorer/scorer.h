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

  // Trained; they require gradients. And what is kept beside them, such as running means. Both are
  // changed where they lie.
  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  const std::vector<at::Tensor>& buffers() const { return buffers_; }

  // [programs, encoded]: each program by itself. `weights` stand for parameters(), so that parts of
  // a batch can be encoded at once with gradients of their own; threads may ask at once. The batch
  // outlives what comes of it.
  virtual at::Tensor Encode(const ProgramBatch& batch,
                            std::span<const at::Tensor> weights) const = 0;
  // [programs, heads]. Where it trains, programs of a batch may see one another (batch
  // normalisation), and buffers follow them.
  virtual at::Tensor Score(const at::Tensor& encoded, bool trains) = 0;

 protected:
  std::vector<at::Tensor> parameters_, buffers_;
};

// With weights as chance gives them.
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

// Scores of these programs, each by the head of its task's target, in their order; parts of a fixed
// size go to so many threads, so the result does not depend on how many there are. Throws
// Interrupted.
std::vector<float> ScorePrograms(Scorer& scorer, const ProgramRows& rows,
                                 std::span<const int> programs, const InputScale& scale,
                                 int threads, const StopToken& stop = {});

}  // namespace schedulegym
