#include "backends/llvm/index_forms.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

Expr Index(int64_t value) { return IndexConstant(value); }

// Makes a new symbol for each request.
class Recorder final : public IndexForms::Source {
 public:
  int Quotient(const Affine& left, int64_t divisor, Range range) override {
    asked += "quotient of " + std::to_string(left.terms.size()) + " by " + std::to_string(divisor);
    return forms->AddSymbol(range);
  }
  int Extreme(Op op, const Affine&, const Affine&, Range range) override {
    asked += OpName(op);
    return forms->AddSymbol(range);
  }
  int Opaque(const Expr& index, Range range) override {
    asked += std::string("opaque ") + OpName(index->op);
    return forms->AddSymbol(range);
  }

  IndexForms* forms = nullptr;
  std::string asked;
};

class IndexFormsTest : public testing::Test {
 protected:
  IndexFormsTest() : forms_(source_, 4) {
    source_.forms = &forms_;
    x_ = forms_.AddSymbol({0, 9});
    forms_.Bind(0, Affine{{{x_, 1}}, 0});  // a loop of 10
    forms_.Bind(1, Affine{{}, 3});         // an unrolled loop's fourth copy
    forms_.Bind(2, Affine{{{kLane, 1}}, 8});
    forms_.SetWidth(8);
  }

  Recorder source_;
  IndexForms forms_;
  int x_ = 0;
  Expr loop_ = Variable(0);
  Expr constant_ = Variable(1);
  Expr lane_ = Variable(2);
};

TEST_F(IndexFormsTest, LinearExpressionsAddUp) {
  const auto form = forms_.Form(loop_ * Index(6) - constant_ + lane_ * Index(2));
  EXPECT_EQ(form, (Affine{{{x_, 6}, {kLane, 2}}, 13}));
  EXPECT_EQ(forms_.BoundsOf(*form), (Range{13, 81}));
  EXPECT_EQ(source_.asked, "");
}

TEST_F(IndexFormsTest, WholePartsOfQuotientsNeedNoDivision) {
  const Expr fused = loop_ * Index(8) + constant_;
  EXPECT_EQ(forms_.Form(Binary(Op::kFloorDivide, fused, Index(8))), (Affine{{{x_, 1}}, 0}));
  EXPECT_EQ(forms_.Form(Binary(Op::kModulo, fused, Index(8))), (Affine{{}, 3}));
  const Expr lanes = loop_ * Index(16) + lane_;
  EXPECT_EQ(forms_.Form(Binary(Op::kFloorDivide, lanes, Index(16))), (Affine{{{x_, 1}}, 0}));
  EXPECT_EQ(forms_.Form(Binary(Op::kFloorDivide, Index(0) - constant_, Index(2))),
            (Affine{{}, -2}));
  EXPECT_EQ(source_.asked, "");
}

TEST_F(IndexFormsTest, OtherQuotientsBecomeSymbols) {
  const auto form = forms_.Form(Binary(Op::kFloorDivide, loop_, Index(4)));
  ASSERT_TRUE(form);
  EXPECT_EQ(source_.asked, "quotient of 1 by 4");
  EXPECT_EQ(forms_.BoundsOf(*form), (Range{0, 2}));
}

TEST_F(IndexFormsTest, QuotientsOfLanesAreLinearOnlyForEachLane) {
  const Expr half = Binary(Op::kFloorDivide, lane_, Index(2));
  EXPECT_EQ(forms_.Form(half), std::nullopt);
  forms_.FixLane(5);
  EXPECT_EQ(forms_.Form(half), (Affine{{}, 6}));
  forms_.FixLane(std::nullopt);
  forms_.BindLazily(3, half);
  EXPECT_EQ(forms_.Form(Variable(3)), std::nullopt);
  EXPECT_TRUE(forms_.UsesLane(Variable(3)));
  EXPECT_FALSE(forms_.UsesLane(loop_ * constant_));
}

TEST_F(IndexFormsTest, RangesDecideExtremesAndConditions) {
  EXPECT_EQ(forms_.Form(Binary(Op::kMin, loop_, Index(9))), (Affine{{{x_, 1}}, 0}));
  EXPECT_EQ(forms_.Form(Binary(Op::kMax, loop_, Index(20))), (Affine{{}, 20}));
  EXPECT_EQ(source_.asked, "");
  const auto form = forms_.Form(Binary(Op::kMin, loop_, Index(5)));
  EXPECT_EQ(source_.asked, "min");
  EXPECT_EQ(forms_.BoundsOf(*form), (Range{0, 5}));

  EXPECT_EQ(forms_.Truth(Binary(Op::kLess, loop_, Index(10))), true);
  EXPECT_EQ(forms_.Truth(Binary(Op::kGreater, lane_, Index(15))), false);
  EXPECT_EQ(forms_.Truth(Binary(Op::kEqual, constant_, Index(3))), true);
  EXPECT_EQ(forms_.Truth(Binary(Op::kLess, loop_, Index(9))), std::nullopt);
  const Expr open = Binary(Op::kLess, loop_, constant_);
  EXPECT_EQ(forms_.Truth(Binary(Op::kAnd, open, Binary(Op::kLess, loop_, Index(-1)))), false);
  EXPECT_EQ(forms_.Truth(Unary(Op::kNot, Binary(Op::kNotEqual, constant_, Index(3)))), true);
}

TEST_F(IndexFormsTest, ProductsOfVariablesBecomeSymbols) {
  EXPECT_TRUE(forms_.Form(loop_ * loop_));
  EXPECT_EQ(source_.asked, "opaque *");
  EXPECT_EQ(forms_.Form(constant_ * loop_), (Affine{{{x_, 3}}, 0}));
}

TEST_F(IndexFormsTest, LiveSymbolsAreThoseOfBindings) {
  EXPECT_EQ(forms_.LiveSymbols(), (std::vector<int>{x_}));
  forms_.Unbind(0);
  forms_.Unbind(2);
  EXPECT_TRUE(forms_.LiveSymbols().empty());
}

}  // namespace
}  // namespace schedulegym
