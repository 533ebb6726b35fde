// Tests of the text of a network's episode.
#include "tests/agents/network/network_fixture.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class NetworkTextTest : public NetworkFixture {
 protected:
  std::string Refusal(NetworkEnvironment& environment, const std::string& text) {
    const Result<void> resumed = environment.Resume(text);
    return resumed ? "taken" : resumed.error().message;
  }
};

TEST_F(NetworkTextTest, ReplaysToTheSamePlace) {
  const auto parts = Parts({{97, 1}, {1, 2}});
  const auto one = Make(parts, 5), other = Make(parts, 6);
  one->Reset();
  one->Reset();  // not the seed's first episode
  for (int action : {1, 2, 2}) one->Step(action);
  const std::string text = one->ToText().value();
  measurer_->counts.clear();
  measurer_->script = [](const std::string&, bool is_reference, int number) {
    return Success(is_reference ? 1 : number + 2);
  };
  ASSERT_TRUE(other->Resume(text));
  EXPECT_EQ(other->ToText().value(), text);
  EXPECT_EQ(other->actions(), one->actions());
  EXPECT_EQ(other->illegal_actions(), one->illegal_actions());
  EXPECT_EQ(other->reason(), one->reason());
  const auto trace = [](const NetworkEnvironment& environment) {
    return environment.episode().run(0).Successes().front().trace;
  };
  EXPECT_EQ(trace(*other), trace(*one));
  // Later steps are equal, too.
  one->Reset();
  other->Reset();
  EXPECT_EQ(trace(*other), trace(*one));
}

TEST_F(NetworkTextTest, OfOneThatHasNotBegun) {
  const auto parts = Parts({{97, 1}});
  const auto one = Make(parts, 5), other = Make(parts, 6);
  ASSERT_TRUE(other->Resume(one->ToText().value()));
  EXPECT_FALSE(other->has_begun());
  EXPECT_EQ(other->ToText().value(), one->ToText().value());
}

TEST_F(NetworkTextTest, EndsWhereItEnded) {
  const auto parts = Parts({{97, 1}});
  const auto one = Make(parts), other = Make(parts);
  one->Reset();
  one->Step(1);
  one->Step(0);
  ASSERT_TRUE(other->Resume(one->ToText().value()));
  EXPECT_TRUE(other->has_ended());
}

TEST_F(NetworkTextTest, MeasuredEpisodesHaveNone) {
  const auto parts = Parts({{97, 1}});
  const auto model = Make(parts);
  model->Reset();
  const auto measured_parts = std::make_shared<NetworkParts>(*parts);
  measured_parts->repeats = false;
  const auto measured = Make(measured_parts);
  EXPECT_TRUE(measured->ToText().ok());
  EXPECT_THAT(Refusal(*measured, model->ToText().value()), HasSubstr("measured times"));
  measured->Reset();
  EXPECT_THAT(measured->ToText().error().message, HasSubstr("measured times"));
}

TEST_F(NetworkTextTest, OtherTextsChangeNothing) {
  const auto environment = Make(Parts({{97, 1}}));
  environment->Reset();
  environment->Step(1);
  const std::string text = environment->ToText().value();
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const size_t at = other.find(from);
    return at == std::string::npos ? other : other.replace(at, from.size(), to);
  };
  const auto another = Make(Parts({{97, 2}}));
  another->Reset();
  EXPECT_THAT(Refusal(*environment, another->ToText().value()), HasSubstr("options"));
  EXPECT_THAT(Refusal(*environment, changed("network 1", "network 2")), HasSubstr("expected 1"));
  EXPECT_THAT(Refusal(*environment, changed("rng ", "rng x")), HasSubstr("four numbers"));
  EXPECT_THAT(Refusal(*environment, changed("actions 1", "actions 2")), HasSubstr("0..1"));
  EXPECT_THAT(Refusal(*environment, changed("actions 1", "actions 0,1")), HasSubstr("at the end"));
  EXPECT_THAT(Refusal(*environment, changed("actions 1", "actions 1,1,1,1,1,1,1")),
              HasSubstr("at most 6"));
  EXPECT_THAT(Refusal(*environment, ""), HasSubstr("network"));
  EXPECT_EQ(environment->ToText().value(), text);
}

}  // namespace
}  // namespace schedulegym
