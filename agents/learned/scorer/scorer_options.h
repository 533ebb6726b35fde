// ScorerOptions: a network that scores schedules, its inputs and its training.
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

// Rows of a program in a network's input.
enum class ProgramInputs : uint8_t {
  kAnsor,      // Ansor's features, a row for each statement
  kEstimated,  // these, and the analytical estimate's
  kTokens,     // a row for each primitive of the trace
};

// Inputs about the computation, which the rows lack.
enum class TaskInputs : uint8_t {
  kNone,
  kWords,    // TenSet's ten
  kNumbers,  // those of the observation `task`, of four definitions
};

// The layers between the tokens of `tlp` and their sum.
enum class TokenMixing : uint8_t { kAttention, kLstm, kNone };

// The training label of a program.
enum class ProgramLabel : uint8_t {
  kTask,       // least seconds of the task over the program's; 0 for a failure
  kReference,  // speed over the task's reference, at least 0.01; 0 for a failure
  kLogarithm,  // its logarithm; failures are left out
  kAbsolute,   // FLOP/s, standardised over all programs; failures are left out
};

// The training label of a partial schedule: its best completion's, or that of the schedule it is
// cut from.
enum class StageTargets : uint8_t { kBest, kOwn };

// Learning in a search. kNone: none. kTrees: trees replace the network after enough samples. kTune:
// trains the weights. kMomentum: slow weights follow the trained ones. kResidual: trees correct it.
enum class NetworkAdaptation : uint8_t { kNone, kTrees, kTune, kMomentum, kResidual };

// The optimizer in a search. kSame: that of the training before. kSgd: without decay.
enum class TuningMethod : uint8_t { kSame, kAdam, kSgd };

// Training by kTune and kMomentum in a search.
struct NetworkTuning {
  int epochs = 10;
  int steps = 0;       // most batches; 0: those of the epochs
  int least_new = 16;  // new measured schedules that make a training due
  int part = 5;        // and at least 1 / part of those before; 0: no such limit
  TuningMethod method = TuningMethod::kSame;
  double rate = 0;  // 0: that of the training before
};

// The evaluator of schedules that value iteration finds, which are not measured.
enum class StageEvaluator : uint8_t { kPretrained, kAnalytical };

struct ScorerOptions {
  ScorerNetwork network = ScorerNetwork::kMlp;
  bool is_improved = true;
  ProgramInputs inputs = ProgramInputs::kEstimated;
  TaskInputs task = TaskInputs::kNumbers;
  bool head_per_target = false;  // a head for each target of the training data, else one

  int width = 256;
  int blocks = 2;           // residual blocks before the output
  bool normalised = false;  // batch normalisation before them

  // Of tokens.
  int length = 48;  // tokens of a trace, at most
  int fields = 20;  // numbers of a token beside its kind
  TokenScale scale = TokenScale::kShares;
  bool keeps_last = true;      // cuts long traces to the last tokens, else the first
  bool masked = true;          // padding has no effect
  bool has_positions = false;  // adds a learned vector for each position
  TokenMixing mixing = TokenMixing::kAttention;
  int attention_heads = 8;

  // Of pacm: its two branches.
  bool sees_statements = true;
  bool sees_dataflow = true;

  // Of recursive.
  bool sees_tree = true;       // else sums statements
  bool sees_loops = true;      // the numbers of loops
  bool zero_start = false;     // layers of loops begin at 0
  bool sees_accesses = false;  // strides of a statement's accesses by loop

  // Of stages.
  bool sees_acquired = true;  // rows of the schedule, else only the task's numbers
  bool sees_order = true;     // an LSTM over stages, else their sum
  bool cuts_stages = true;    // cuts partial schedules after whole stages
  bool by_decisions = false;  // with by_task, compares only schedules with as many decisions
  int prefixes = 4;           // prefixes of a schedule in training, at most, itself included
  StageTargets targets = StageTargets::kBest;
  int iterations = 0;  // further trainings, each with schedules that a beam by the last one found
  StageEvaluator evaluator = StageEvaluator::kPretrained;

  // Of oneshot_net and recursive: share of activations that training sets to 0.
  double dropout = 0;

  NetworkAdaptation adaptation = NetworkAdaptation::kTrees;
  double momentum = 0.9;  // kMomentum: share of the slow weights kept at each training
  NetworkTuning tuning;

  ProgramLabel label = ProgramLabel::kTask;
  LossKind loss = LossKind::kLambdaRank;
  int loss_batch = 0;  // scales a batch's loss by its size over this; 0: no scaling
  BatchOrderOptions order = {.batch = 512, .by_task = true, .list = 64};
  bool uses_adam = true;  // else plain gradient descent
  double rate = 7e-4;
  RatePlan rates = RatePlan::kConstant;
  double decay = 1e-6;            // L2, added to the gradient
  double longest_gradient = 0.5;  // limit of the gradient norm; 0: none
  int epochs = 50;
  int patience = 8;              // stops after so many epochs without a better one
  bool chooses_by_loss = false;  // the best epoch has the least loss, else the most pairs in order
  double held_out =
      0.1;  // share of the tasks that choose the epoch; 0: none, and takes the last epoch
};

// True if a network of this name exists.
bool IsScorer(std::string_view name);

// Throws InputError, one line, for an unknown option or a value out of range.
ScorerOptions ReadScorerOptions(const Spec& spec);

// The meaning of the columns of a program and its task, with versions: "ansor 1, task 1".
std::string MeaningOf(const ScorerOptions& options);

// For lists of networks.
struct ScorerText {
  const char* name;
  const char* parameters;
  const char* description;
};
std::span<const ScorerText> ScorerTexts();

}  // namespace schedulegym
