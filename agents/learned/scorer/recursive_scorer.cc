// TIRAMISU's network (Baghdadi et al., MLSys 2021; its successor in Tiramisu's code): an embedding
// of each node of the tree of loops, from the innermost out, w wide (published 180).
//   statement: four layers of its row, 10w/3, 35w/18, 10w/9 and w wide;
//   loop: an LSTM over its loops, another over its statements (a learned vector where it has none),
//   these two and the loop's 8 numbers (env/features/program_tree.h) through 10w/9 and w;
//   program: an LSTM over the nodes at the root, then 10w/9, w and the score. Leaky ReLU, 0.01.
// Published: the layers of loops begin at 0 (zero_start), so trees have no effect at first. The
// published network reads transformations and the expression by LSTMs; here Ansor's row replaces
// them, and the strides of accesses replace their matrices (accesses=true). Dropout follows each
// layer of statements and loops; published also those behind the root. Nodes of one height are
// embedded together, in all trees: a step of an LSTM takes the next child of each node and skips
// nodes without one. Cost: about 17 w^2 multiply-adds a statement and 20 w^2 a loop.
#include <algorithm>
#include <functional>
#include <utility>

#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/scorer/layers.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/learned/scorer/scorer.h"
#include "env/features/program_tree.h"

namespace schedulegym {
namespace {

constexpr double kSlope = 0.01;

at::Tensor Leaky(const at::Tensor& values) { return at::leaky_relu(values, kSlope); }

// Children of nodes, by position in the embedded nodes; each list is in order.
using Children = std::vector<std::vector<int64_t>>;

using Drop = std::function<at::Tensor(const at::Tensor&)>;

// A tree's node in the batch.
struct BatchNode {
  int height = 0;             // 0 of a statement
  std::vector<int> children;  // rows
};

class RecursiveScorer : public Scorer {
 public:
  RecursiveScorer(const ScorerOptions& options, const ScorerShape& shape, Rng rng)
      : options_(options), statement_columns_(shape.columns - TreeLoopLayout::kWidth) {
    const int w = options.width, wide = std::max(1, 10 * w / 9);
    AddLeaky(statement_columns_, 10 * w / 3, rng);
    AddLeaky(10 * w / 3, 35 * w / 18, rng);
    AddLeaky(35 * w / 18, wide, rng);
    AddLeaky(wide, w, rng);
    if (shape.task_columns > 0) task_ = AddLeaky(shape.task_columns, 10 * w / 3, rng);
    if (options.sees_tree) AddTreeLayers(w, wide, rng);
    output_ = AddLeaky(w, wide, rng);
    AddLeaky(wide, w, rng);
    AddLinear(w, shape.heads, parameters_, rng);
  }

  at::Tensor Encode(const ProgramBatch& batch, std::span<const at::Tensor> weights) const override {
    Rng noise(batch.noise.value_or(0));
    const Drop drop = [&](const at::Tensor& values) {
      return batch.noise ? DroppedOut(values, options_.dropout, noise) : values;
    };
    const std::vector<BatchNode> nodes = NodesOf(batch);
    std::vector<std::vector<int>> levels;  // rows by height
    for (size_t row = 0; row < nodes.size(); ++row) {
      const auto height = static_cast<size_t>(nodes[row].height);
      if (levels.size() <= height) levels.resize(height + 1);
      levels[height].push_back(static_cast<int>(row));
    }
    std::vector<int64_t> position(nodes.size());  // of a row in `all`
    at::Tensor all = Statements(batch, levels[0], weights, drop);
    const auto place = [&](const std::vector<int>& rows, int64_t first) {
      for (size_t i = 0; i < rows.size(); ++i) {
        position[static_cast<size_t>(rows[i])] = first + static_cast<int64_t>(i);
      }
    };
    place(levels[0], 0);
    if (!options_.sees_tree) {
      return SumByGroup(all, GroupsOf(batch, levels[0]), batch.programs);
    }
    for (size_t height = 1; height < levels.size(); ++height) {
      Children loops, statements;
      for (const int row : levels[height]) {
        loops.emplace_back();
        statements.emplace_back();
        for (const int child : nodes[static_cast<size_t>(row)].children) {
          const bool is_loop = nodes[static_cast<size_t>(child)].height > 0;
          (is_loop ? loops : statements).back().push_back(position[static_cast<size_t>(child)]);
        }
      }
      place(levels[height], all.size(0));
      all = at::cat({all, Loops(batch, levels[height], all, loops, statements, weights, drop)});
    }
    Children roots(static_cast<size_t>(batch.programs));
    for (size_t row = 0; row < nodes.size(); ++row) {
      if (batch.parents[row] >= 0) continue;
      const int64_t program = batch.groups[static_cast<int>(row)][0];
      roots[static_cast<size_t>(program)].push_back(position[row]);
    }
    return LstmOver(all, roots, weights, roots_, {});
  }

  at::Tensor Score(const at::Tensor& encoded, bool trains) override {
    (void)trains;
    at::Tensor programs = Leaky(Linear(encoded, parameters_, output_));
    programs = Leaky(Linear(programs, parameters_, output_ + 2));
    return Linear(programs, parameters_, output_ + 4);
  }

 private:
  // Uniform within sqrt(6 / inputs) (He et al., ICCV 2015), so that values keep their size through
  // the ten layers from a row to the score.
  int AddLeaky(int inputs, int outputs, Rng& rng) {
    return AddLinear(inputs, outputs, parameters_, rng, std::max(1, inputs / 6));
  }

  // Gates of input and of state: [4w, w] each.
  int AddLstm(int width, Rng& rng) {
    const int first = AddLinear(width, 4 * width, parameters_, rng);
    AddLinear(width, 4 * width, parameters_, rng);
    return first;
  }

  void AddTreeLayers(int w, int wide, Rng& rng) {
    loops_ = AddLstm(w, rng);
    statements_ = AddLstm(w, rng);
    roots_ = AddLstm(w, rng);
    join_ = AddLeaky(2 * w + TreeLoopLayout::kWidth, wide, rng);
    AddLeaky(wide, w, rng);
    nothing_ = static_cast<int>(parameters_.size());
    parameters_.push_back(at::zeros({1, w}).set_requires_grad(true));
    parameters_.push_back(at::zeros({1, w}).set_requires_grad(true));
    if (!options_.zero_start) return;
    const c10::NoGradGuard guard;
    for (int i = join_; i < nothing_; i += 2) parameters_[static_cast<size_t>(i)].zero_();
  }

  // Heights are computed from the innermost nodes, which come last.
  static std::vector<BatchNode> NodesOf(const ProgramBatch& batch) {
    std::vector<BatchNode> nodes(batch.parents.size());
    for (size_t row = nodes.size(); row-- > 0;) {
      if (batch.parents[row] < 0) continue;
      BatchNode& parent = nodes[static_cast<size_t>(batch.parents[row])];
      parent.height = std::max(parent.height, nodes[row].height + 1);
      parent.children.insert(parent.children.begin(), static_cast<int>(row));
    }
    return nodes;
  }

  static at::Tensor IndicesOf(const std::vector<int>& rows) {
    return at::tensor(std::vector<int64_t>(rows.begin(), rows.end()));
  }
  static at::Tensor GroupsOf(const ProgramBatch& batch, const std::vector<int>& rows) {
    return ViewOf(batch.groups).view(-1).index_select(0, IndicesOf(rows));
  }

  at::Tensor Statements(const ProgramBatch& batch, const std::vector<int>& rows,
                        std::span<const at::Tensor> weights, const Drop& drop) const {
    at::Tensor values = ViewOf(batch.rows).index_select(0, IndicesOf(rows));
    values = Linear(values.narrow(1, 0, statement_columns_), weights, 0);
    if (task_ >= 0) {
      const at::Tensor tasks = Linear(ViewOf(batch.task_rows), weights, task_);
      values = values + tasks.index_select(0, GroupsOf(batch, rows));
    }
    for (int layer = 2; layer < 8; layer += 2) {
      values = Linear(drop(Leaky(values)), weights, layer);
    }
    return drop(Leaky(values));
  }

  at::Tensor Loops(const ProgramBatch& batch, const std::vector<int>& rows, const at::Tensor& all,
                   const Children& loops, const Children& statements,
                   std::span<const at::Tensor> weights, const Drop& drop) const {
    at::Tensor numbers = ViewOf(batch.rows)
                             .index_select(0, IndicesOf(rows))
                             .narrow(1, statement_columns_, TreeLoopLayout::kWidth);
    if (!options_.sees_loops) numbers = at::zeros(numbers.sizes());
    const auto nothing = static_cast<size_t>(nothing_);
    const at::Tensor joined =
        at::cat({WhereThereIs(loops, LstmOver(all, loops, weights, loops_, {}), weights[nothing]),
                 WhereThereIs(statements, LstmOver(all, statements, weights, statements_, {}),
                              weights[nothing + 1]),
                 numbers},
                1);
    const at::Tensor first = drop(Leaky(Linear(joined, weights, join_)));
    return drop(Leaky(Linear(first, weights, join_ + 2)));
  }

  static at::Tensor WhereThereIs(const Children& children, const at::Tensor& values,
                                 const at::Tensor& nothing) {
    std::vector<float> is_there;
    for (const auto& own : children) is_there.push_back(own.empty() ? 0.0F : 1.0F);
    const at::Tensor there = at::tensor(is_there).unsqueeze(1);
    return values * there + nothing * (1 - there);
  }

  ScorerOptions options_;
  int statement_columns_;
  // Positions of layers; -1: none.
  int task_ = -1, loops_ = -1, statements_ = -1, roots_ = -1, join_ = -1, nothing_ = -1,
      output_ = 0;
};

}  // namespace

std::unique_ptr<Scorer> MakeRecursiveScorer(const ScorerOptions& options, const ScorerShape& shape,
                                            Rng rng) {
  return std::make_unique<RecursiveScorer>(options, shape, rng);
}

}  // namespace schedulegym
