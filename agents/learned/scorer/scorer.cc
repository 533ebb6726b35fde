#include "agents/learned/scorer/scorer.h"

#include <algorithm>

#include "agents/learned/policy/torch_setting.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/parallel.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Programs that one thread scores at once; fixed, since the last bits of sums depend on it.
constexpr int kPart = 64;

}  // namespace

Scorer::Scorer() = default;
Scorer::~Scorer() = default;

std::unique_ptr<Scorer> MakeScorer(const ScorerOptions& options, const ScorerShape& shape,
                                   Rng rng) {
  UseOneTorchThread();
  switch (options.network) {
    case ScorerNetwork::kMlp: return MakeMlpScorer(options, shape, rng);
    case ScorerNetwork::kTlp: return MakeTlpScorer(options, shape, rng);
    case ScorerNetwork::kPacm: return MakePacmScorer(options, shape, rng);
    case ScorerNetwork::kRecursive: return MakeRecursiveScorer(options, shape, rng);
    case ScorerNetwork::kStages: return MakeStagesScorer(options, shape, rng);
    case ScorerNetwork::kOneshot: return MakeOneshotScorer(options, shape, rng);
  }
  return nullptr;
}

std::vector<float> ScorePrograms(Scorer& scorer, const ProgramRows& rows,
                                 std::span<const int> programs, const InputScale& scale,
                                 int threads, const StopToken& stop) {
  std::vector<float> scores(programs.size());
  const auto parts = static_cast<int>((programs.size() + kPart - 1) / kPart);
  ParallelFor(
      parts, threads,
      [&](int part) {
        UseOneTorchThreadHere();
        const c10::InferenceMode guard;
        const auto first = static_cast<size_t>(part) * kPart;
        const auto some = programs.subspan(first, std::min<size_t>(kPart, programs.size() - first));
        const ProgramBatch batch = BatchOf(rows, some, scale);
        const at::Tensor encoded = scorer.Encode(batch, scorer.parameters());
        const at::Tensor by_head = scorer.Score(encoded, /*trains=*/false).contiguous();
        const auto heads = static_cast<size_t>(by_head.size(1));
        const float* values = by_head.data_ptr<float>();
        for (size_t i = 0; i < some.size(); ++i) {
          const int task = rows.tasks[static_cast<size_t>(some[i])];
          const auto head = static_cast<size_t>(rows.heads[static_cast<size_t>(task)]);
          SG_CHECK(head < heads, "a head for the target");
          scores[first + i] = values[i * heads + head];
        }
      },
      stop);
  return scores;
}

}  // namespace schedulegym
