// ScorerOptions: a network that scores schedules, what it sees, and how it learns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "agents/learned/scorer/batch_order.h"
#include "agents/learned/scorer/rate_plan.h"
#include "agents/learned/scorer/score_loss.h"
#include "env/base/spec.h"
#include "env/features/trace_tokens.h"

namespace schedulegym {

enum class ScorerNetwork : uint8_t { kMlp, kTlp, kPacm, kRecursive, kStages, kOneshot };

// Rows by which a network knows a program.
enum class ProgramInputs : uint8_t {
  kAnsor,      // Ansor's features, a row for each statement
  kEstimated,  // those, and the analytical estimate's
  kTokens,     // a row for each primitive of the trace
};

// Numbers of the computation, which the rows lack.
enum class TaskInputs : uint8_t {
  kNone,
  kWords,    // TenSet's ten
  kNumbers,  // the observation `task`'s, of four definitions
};

// What stands between the tokens of `tlp` and their sum.
enum class TokenMixing : uint8_t { kAttention, kLstm, kNone };

// What a score is learned from.
enum class ProgramLabel : uint8_t {
  kTask,       // least seconds of the task over the program's; 0: failed
  kReference,  // speed over the task's reference schedule, at least 0.01; 0: failed
  kLogarithm,  // its logarithm; what failed is left out
  kAbsolute,   // FLOP/s, standardised over all programs; what failed is left out
};

// What the value of a partial schedule is learned from: its best completion, or the schedule by
// which it came.
enum class StageTargets : uint8_t { kBest, kOwn };

// How a network learns in a search: not at all; trees take its place once they have seen enough;
// its weights are trained further; those follow copies that are, slowly; or trees correct it.
enum class NetworkAdaptation : uint8_t { kNone, kTrees, kTune, kMomentum, kResidual };

// Its descent in a search: that of the training before, or another; kSgd is without decay.
enum class TuningMethod : uint8_t { kSame, kAdam, kSgd };

// How tune and momentum train in a search.
struct NetworkTuning {
  int epochs = 10;
  int steps = 0;       // batches at most; 0: those of the epochs
  int least_new = 16;  // measured schedules since the last training that make one due
  int part = 5;        // and these are one in so many of those before; 0: whatever there were
  TuningMethod method = TuningMethod::kSame;
  double rate = 0;  // 0: that of the training before
};

// What says how fast a schedule is that value iteration finds and nobody has measured.
enum class StageEvaluator : uint8_t { kPretrained, kAnalytical };

struct ScorerOptions {
  ScorerNetwork network = ScorerNetwork::kMlp;
  bool is_improved = true;
  ProgramInputs inputs = ProgramInputs::kEstimated;
  TaskInputs task = TaskInputs::kNumbers;
  bool head_per_target = false;  // one head for each target of the training data, else one for all

  int width = 256;
  int blocks = 2;           // residual ones before the output
  bool normalised = false;  // batch normalisation before them

  // Of tokens.
  int length = 48;  // tokens seen
  int fields = 20;  // numbers of a token beside its kind
  TokenScale scale = TokenScale::kShares;
  bool keeps_last = true;      // of a longer trace the last tokens are seen, else the first
  bool masked = true;          // padding takes no part
  bool has_positions = false;  // a learned vector is added to each position
  TokenMixing mixing = TokenMixing::kAttention;
  int attention_heads = 8;

  // Of pacm: its two branches.
  bool sees_statements = true;
  bool sees_dataflow = true;

  // Of recursive.
  bool sees_tree = true;       // else statements are summed
  bool sees_loops = true;      // the numbers of loops
  bool zero_start = false;     // layers of loops begin at 0
  bool sees_accesses = false;  // strides of a statement's accesses by loop

  // Of stages.
  bool sees_acquired = true;  // rows of the schedule, else the task's numbers alone
  bool sees_order = true;     // an LSTM over stages, else their sum
  bool cuts_stages = true;    // partial schedules are of whole stages
  bool by_decisions = false;  // by task, lists are of schedules with as many decisions
  int prefixes = 4;           // of a schedule learned from, itself among them, at most
  StageTargets targets = StageTargets::kBest;
  int iterations = 0;  // trainings more, each with what a beam by the one before has found
  StageEvaluator evaluator = StageEvaluator::kPretrained;

  // Of oneshot_net and recursive: share of the numbers within layers that training leaves out.
  double dropout = 0;

  NetworkAdaptation adaptation = NetworkAdaptation::kTrees;
  double momentum = 0.9;  // of kMomentum, how much of the slow weights stays at each training
  NetworkTuning tuning;

  ProgramLabel label = ProgramLabel::kTask;
  LossKind loss = LossKind::kLambdaRank;
  int loss_batch = 0;  // a batch's loss counts by its programs over so many; 0: each alike
  BatchOrderOptions order = {.batch = 512, .by_task = true, .list = 64};
  bool uses_adam = true;  // else plain gradient descent
  double rate = 7e-4;
  RatePlan rates = RatePlan::kConstant;
  double decay = 1e-6;            // L2, added to the gradient
  double longest_gradient = 0.5;  // longer ones are scaled to it; 0: never
  int epochs = 50;
  int patience = 8;              // epochs without a better one end it
  bool chooses_by_loss = false;  // the better epoch has the lesser loss, else more pairs in order
  double held_out =
      0.1;  // share of the tasks that choose the epoch; 0: none, the last one is taken
};

// Whether a network of this name exists.
bool IsScorer(std::string_view name);

// Throws InputError, one line, for what does not exist or is out of range.
ScorerOptions ReadScorerOptions(const Spec& spec);

// What the columns of a program's row and of its task mean, with their versions: "ansor 1, task 1".
std::string MeaningOf(const ScorerOptions& options);

// For lists of what exists.
struct ScorerText {
  const char* name;
  const char* parameters;
  const char* description;
};
std::span<const ScorerText> ScorerTexts();

}  // namespace schedulegym
