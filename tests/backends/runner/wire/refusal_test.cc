#include "backends/runner/wire/refusal.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

const Frame kRequest = {4, 17, "question"};

TEST(RefusalTest, AnAnswerPasses) {
  const Frame answer = {4, 17, "answer"};
  EXPECT_EQ(AnswerOrRefuse(kRequest, [&] { return answer; }), answer);
}

TEST(RefusalTest, FaultsKeepTheirKindAndMessageOnTheWay) {
  const Frame input = AnswerOrRefuse(kRequest, []() -> Frame { throw InputError("no such key"); });
  EXPECT_EQ(input.id, 17u);
  try {
    ThrowRefusal(input);
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no such key");
  }
  EXPECT_THROW(ThrowRefusal(input), InputError);
  EXPECT_THROW(ThrowRefusal(AnswerOrRefuse(
                   kRequest, []() -> Frame { throw MachineError("no memory file"); })),
               MachineError);
  EXPECT_THROW(ThrowRefusal(AnswerOrRefuse(kRequest, []() -> Frame { throw std::bad_alloc(); })),
               MachineError);
  EXPECT_THROW(
      ThrowRefusal(AnswerOrRefuse(kRequest, []() -> Frame { throw std::runtime_error("odd"); })),
      std::logic_error);
}

TEST(RefusalTest, WhatIsNoRefusalIsABug) {
  EXPECT_THROW(ThrowRefusal({6, 1, "garbage"}), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
