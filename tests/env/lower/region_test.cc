// The region of a stage that its consumer needs for fixed outer loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "env/base/rng.h"
#include "env/lower/builder.h"
#include "env/schedule/loop_structure.h"
#include "tests/env/lower/lowered.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Element = std::vector<int64_t>;

// The region of stage P for fixed values of the first `bound` loops of stage C, and the elements
// that all loops of C touch then.
class Question {
 public:
  Question(std::string_view dag, std::string_view steps, int bound)
      : state_(StateAfter(dag, steps)), builder_(state_), bound_(bound) {
    const int id = state_.Find("C");
    const Stage& stage = state_.stage(id);
    std::vector<int64_t> extents;
    for (const Axis& axis : stage.effective->axes) extents.push_back(axis.extent);
    nest_.emplace(MakeNest(id, stage, extents,
                           std::vector<Expr>(stage.effective->spatial, IndexConstant(0))));
    for (int i = 0; i < bound; ++i) {
      const int node = nest_->LoopNode(i);
      ForceExtent(*nest_, node);
      nest_->value[node] = Variable(builder_.AddVariable("loop", {0, nest_->extent[node] - 1}));
    }
    ResolveValues(*nest_,
                  [&](int, const Expr& value) { return builder_.Named("axis", value, bindings_); });
    const std::vector<bool> live(state_.size(), true);
    region_ = RequiredRegion(builder_, *nest_, state_.Find("P"), live, bindings_);
    Enumerate();
  }

  const std::vector<int64_t>& extent() const { return region_.extent; }
  // First element of the region for these values of the bound loops.
  Element BaseAt(const Element& outer) const {
    std::vector<int64_t> values(builder_.state().size() + 64);
    std::copy(outer.begin(), outer.end(), values.begin());
    for (const Binding& binding : bindings_) {
      values[binding.variable] = Evaluate(binding.value, values);
    }
    Element base;
    for (const Expr& expr : region_.base) base.push_back(Evaluate(expr, values));
    return base;
  }

  // Checks that every touched element lies in the region, and the region in the tensor.
  void ExpectCovers() const {
    const StageOp& op = *state_.stage(state_.Find("P")).effective;
    EXPECT_FALSE(touched_.empty());
    for (const auto& [outer, elements] : touched_) {
      const Element base = BaseAt(outer);
      for (int d = 0; d < op.spatial; ++d) {
        EXPECT_GE(base[d], 0);
        EXPECT_LE(base[d] + region_.extent[d], op.axes[d].extent);
        for (const Element& element : elements) {
          EXPECT_GE(element[d], base[d]);
          EXPECT_LT(element[d], base[d] + region_.extent[d]);
        }
      }
    }
  }

  // Greatest distance per dimension between the first and last touched elements, inclusive.
  std::vector<int64_t> TouchedExtent() const {
    std::vector<int64_t> most(region_.extent.size());
    for (const auto& [outer, elements] : touched_) {
      for (size_t d = 0; d < most.size(); ++d) {
        const auto less = [d](const Element& a, const Element& b) { return a[d] < b[d]; };
        const auto [low, high] = std::minmax_element(elements.begin(), elements.end(), less);
        most[d] = std::max(most[d], (*high)[d] - (*low)[d] + 1);
      }
    }
    return most;
  }

 private:
  // Runs all loops of C with their full extents.
  void Enumerate() {
    const Stage& stage = state_.stage(state_.Find("C"));
    std::vector<int64_t> extents;
    for (const LoopNode& node : stage.nodes) extents.push_back(node.extent);
    Element loops(stage.loops.size());
    for (bool more = true; more;) {
      std::vector<Expr> values(stage.nodes.size());
      for (size_t i = 0; i < loops.size(); ++i) {
        values[stage.loops[i].node] = IndexConstant(loops[i]);
      }
      ResolveNodeValues(stage, extents, values);
      Element axes;
      bool inside = true;
      for (size_t a = 0; a < stage.effective->axes.size(); ++a) {
        axes.push_back(Evaluate(values[a], {}));
        inside = inside && axes[a] < stage.effective->axes[a].extent;
      }
      if (inside) Touch(stage, axes, {loops.begin(), loops.begin() + bound_});
      more = false;
      for (size_t i = loops.size(); i-- > 0 && !more;) {
        more = ++loops[i] < stage.nodes[stage.loops[i].node].extent;
        if (!more) loops[i] = 0;
      }
    }
  }

  void Touch(const Stage& reader, const Element& axes, const Element& outer) {
    for (const ReadAccess& read : reader.effective->reads) {
      Element element;
      for (const Expr& index : read.indices) element.push_back(Evaluate(index, axes));
      const Stage& producer = state_.stage(read.stage);
      bool inside = true;  // elements excluded by a select are not touched
      for (size_t d = 0; d < element.size(); ++d) {
        inside = inside && element[d] >= 0 && element[d] < producer.effective->axes[d].extent;
      }
      if (!inside) continue;
      if (read.stage == state_.Find("P")) {
        touched_[outer].insert(element);
      } else if (producer.op->kind != StageKind::kInput) {
        Touch(producer, element, outer);
      }
    }
  }

  ScheduleState state_;
  ProgramBuilder builder_;
  int bound_;
  std::optional<Nest> nest_;
  std::vector<Binding> bindings_;
  Region region_;
  std::map<Element, std::set<Element>> touched_;
};

struct Case {
  const char* dag;
  const char* steps;
  int bound;
  std::vector<int64_t> extent;  // computed by hand
};

TEST(RequiredRegionTest, IsWhatIsTouched) {
  constexpr char kStencil[] = "input A[18]\nP[i:18] = A[i] + 1\nC[i:16] = P[i] + P[i + 2]\n";
  constexpr char kStrided[] = "input A[19]\nP[i:19] = A[i] + 1\nC[i:9] = sum(r:3) P[i * 2 + r]\n";
  constexpr char kReversed[] = "input A[16]\nP[i:16] = A[i] + 1\nC[i:16] = P[15 - i] * 2\n";
  constexpr char kBackward[] = "input A[31]\nP[i:31] = A[i] + 1\nC[i:16] = P[i * (-2) + 30] * 2\n";
  constexpr char kMatrix[] =
      "input A[6, 8]\nP[i:6, k:8] = A[i, k] + 1\nC[i:6, j:4] = sum(k:8) P[i, k] * 2\n";
  constexpr char kTurned[] =
      "input A[6, 8]\nP[i:6, j:8] = A[i, j] + 1\nC[j:8, i:6] = P[i, j] * 2\n";
  constexpr char kFlat[] = "input A[4, 6]\nP[i:4, j:6] = A[i, j] + 1\nC[f:24] = P[f // 6, f % 6]\n";
  const Case cases[] = {
      {kStencil, "", 0, {18}},
      {kStencil, "", 1, {3}},
      // Parts of 4 with a halo of 2; inside them, one value with the same halo.
      {kStencil, "split(stage=C, loop=0, lengths=[4])", 1, {6}},
      {kStencil, "split(stage=C, loop=0, lengths=[4])", 2, {3}},
      // i.1 outside: values i.1, i.1 + 4, ... i.1 + 12, and 2 more.
      {kStencil, "split(stage=C, loop=0, lengths=[4])\nreorder(stage=C, order=[1, 0])", 1, {15}},
      {kStrided, "", 0, {19}},
      {kStrided, "", 1, {3}},
      {kStrided, "", 2, {1}},
      {kStrided, "split(stage=C, loop=0, lengths=[3])", 1, {7}},  // (3 - 1) * 2 + 3
      {kReversed, "split(stage=C, loop=0, lengths=[4])", 1, {4}},
      {kBackward, "split(stage=C, loop=0, lengths=[4])", 1, {7}},  // (4 - 1) * 2 + 1
      {kMatrix, "split(stage=C, loop=0, lengths=[2])", 1, {2, 8}},
      {kMatrix,
       "split(stage=C, loop=2, lengths=[4])\nreorder(stage=C, order=[0, 2, 1, 3])",
       2,
       {1, 4}},
      {kTurned, "split(stage=C, loop=1, lengths=[3])", 1, {6, 1}},
      {kTurned, "split(stage=C, loop=1, lengths=[3])", 2, {3, 1}},
      {kFlat, "", 1, {1, 1}},
      {kFlat, "split(stage=C, loop=0, lengths=[6])", 1, {1, 6}},
      {kFlat, "split(stage=C, loop=0, lengths=[12])", 1, {2, 6}},
  };
  for (const Case& tried : cases) {
    const Question question(tried.dag, tried.steps, tried.bound);
    SCOPED_TRACE(std::string(tried.dag) + tried.steps + " at " + std::to_string(tried.bound));
    question.ExpectCovers();
    EXPECT_EQ(question.extent(), tried.extent);
    EXPECT_EQ(question.TouchedExtent(), tried.extent);
  }
}

// With 10 in parts of 4, a part may be the tail. The region is the whole part's 4 + 2 elements; in
// the last part it begins earlier, because it must stay within P.
TEST(RequiredRegionTest, ShiftsTailsInward) {
  const Question question("input A[12]\nP[i:12] = A[i] + 1\nC[i:10] = P[i] + P[i + 2]\n",
                          "split(stage=C, loop=0, lengths=[4])", 1);
  question.ExpectCovers();
  EXPECT_EQ(question.extent(), (std::vector<int64_t>{6}));
  EXPECT_EQ(question.BaseAt({0}), (Element{0}));
  EXPECT_EQ(question.BaseAt({1}), (Element{4}));
  EXPECT_EQ(question.BaseAt({2}), (Element{6}));  // not 8: 8 + 6 > 12
}

// A window of 3 around i; a select excludes places outside of the tensor.
TEST(RequiredRegionTest, ShiftsPaddingInward) {
  const Question question(
      "input A[8]\nP[i:8] = A[i] + 1\n"
      "C[i:8] = sum(r:3) select(i + r >= 1 && i + r < 9, P[i + r - 1], 0)\n",
      "", 1);
  question.ExpectCovers();
  EXPECT_EQ(question.extent(), (std::vector<int64_t>{3}));
  EXPECT_EQ(question.BaseAt({0}), (Element{0}));  // not -1
  EXPECT_EQ(question.BaseAt({1}), (Element{0}));
  EXPECT_EQ(question.BaseAt({6}), (Element{5}));
  EXPECT_EQ(question.BaseAt({7}), (Element{5}));  // not 6: 6 + 3 > 8
}

// Through Q, which is computed entirely where it is needed: halos add up.
TEST(RequiredRegionTest, GoesThroughStagesBetween) {
  constexpr char kChain[] =
      "input A[12]\nP[i:12] = A[i] + 1\nQ[i:10] = P[i] + P[i + 2]\nC[i:8] = Q[i] * Q[i + 2]\n";
  const std::string at = "\ncompute_at(stage=Q, target=C, loop=0)";
  const Question one(kChain, at, 1);
  one.ExpectCovers();
  EXPECT_EQ(one.extent(), (std::vector<int64_t>{5}));
  const Question tile(kChain, "split(stage=C, loop=0, lengths=[4])" + at, 1);
  tile.ExpectCovers();
  EXPECT_EQ(tile.extent(), (std::vector<int64_t>{8}));
  EXPECT_EQ(tile.TouchedExtent(), (std::vector<int64_t>{8}));
}

// Reads at varying distances need everything in between, which is the whole tensor.
TEST(RequiredRegionTest, TakesAllBetweenReadsThatDrift) {
  const Question question("input A[16]\nP[i:16] = A[i] + 1\nC[i:8] = P[i] + P[2 * i + 1]\n", "", 1);
  question.ExpectCovers();
  EXPECT_EQ(question.extent(), (std::vector<int64_t>{16}));
}

// Equal quotients are one value, so their distance is known: it is 0, or 2.
TEST(RequiredRegionTest, KnowsEqualQuotients) {
  constexpr char kHead[] = "input A[8]\nP[i:8] = A[i] + 1\nC[i:18] = ";
  const Question equal(std::string(kHead).append("P[i // 3] * P[i // 3]\n"), "", 1);
  equal.ExpectCovers();
  EXPECT_EQ(equal.extent(), (std::vector<int64_t>{1}));
  const Question apart(std::string(kHead).append("P[i // 3] * P[i // 3 + 2]\n"), "", 1);
  apart.ExpectCovers();
  EXPECT_EQ(apart.extent(), (std::vector<int64_t>{3}));
}

// Values per part, and the rows of 6 that may hold them. Parts of 3 and 2 never cross into the next
// row; parts of 4 begin at 0, 4 or 2 of a row.
TEST(RequiredRegionTest, KnowsWherePartsBegin) {
  const std::vector<std::pair<std::string, int64_t>> cases = {
      {"1", 1}, {"2", 1}, {"3", 1}, {"4", 2}, {"6", 1}, {"8", 2}, {"12", 2}};
  for (const auto& [length, rows] : cases) {
    const Question question(
        "input A[4, 6]\nP[i:4, j:6] = A[i, j] + 1\nC[f:24] = P[f // 6, f % 6]\n",
        "split(stage=C, loop=0, lengths=[" + length + "])", 1);
    question.ExpectCovers();
    EXPECT_EQ(question.extent()[0], rows) << length;
    EXPECT_EQ(question.TouchedExtent()[0], rows) << length;
  }
}

// Windows of two dimensions with any strides, offsets and cuts.
TEST(RequiredRegionTest, CoversRandomWindows) {
  Rng rng(12);
  for (int trial = 0; trial < 150; ++trial) {
    const int64_t stride = 1 + rng.Below(3), reach = rng.Below(4), outer = 3 + rng.Below(6);
    const int64_t width = (outer - 1) * stride + reach + 1;
    const auto text = [](int64_t value) { return std::to_string(value); };
    const std::string dag = "input A[9, " + text(width) + "]\nP[y:9, x:" + text(width) +
                            "] = A[y, x] + 1\nC[i:" + text(outer) +
                            ", j:9] = sum(r:" + text(reach + 1) + ") P[j, i * " + text(stride) +
                            " + r]\n";
    std::string steps = "split(stage=C, loop=1, lengths=[" + text(1 + rng.Below(10)) + "])\n" +
                        "split(stage=C, loop=0, lengths=[" + text(1 + rng.Below(outer)) + "])\n";
    if (rng.Chance(0.5)) steps += "reorder(stage=C, order=[2, 1, 4, 3, 0])\n";
    if (rng.Chance(0.3)) steps += "fuse(stage=C, loops=[0, 1])\n";
    SCOPED_TRACE(dag + steps);
    Question(dag, steps, static_cast<int>(rng.Below(5))).ExpectCovers();
  }
}

}  // namespace
}  // namespace schedulegym
