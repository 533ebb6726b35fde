#include "assembly/options/option_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The error for the agent's spec; "" if it is accepted.
std::string Refusal(const std::string& agent) {
  try {
    CheckTunerOptions(RequireSpec("agent", agent));
    return "";
  } catch (const InputError& fault) {
    return fault.what();
  }
}

TEST(TunerOptionsTest, AnOptionOfAnotherSlotIsRefused) {
  for (const auto& [agent, said] : std::vector<std::pair<std::string, std::string>>{
           {"autotvm(weight=0.2,diversity=0)",
            "agent autotvm: weight belongs to diversity=1 or more, found diversity=0"},
           {"autotvm(discount=5)", "discount belongs to transfer=FILE, found no transfer"},
           {"autotvm(labels=log)",
            "labels belongs to model=regression or forest, found model=rank"},
           {"autotvm(model=forest,depth=4)", "depth belongs to model=rank or regression"},
           {"adatune(model=rank,acquire=ei)", "acquire belongs to model=forest, found model=rank"},
           {"adatune(contextual=true,epsilon=0.1)", "epsilon belongs to contextual=false"},
           {"bayes(length=2)", "length belongs to fitted=false, found fitted=true"},
           {"bayes(fading=0.5)", "fading belongs to acquire=multi or advanced, found acquire=ei"},
           {"chameleon(explorer=ppo,chains=4)",
            "chains belongs to explorer=annealing, found explorer=ppo"},
           {"chameleon(choose=top,threshold=3)", "threshold belongs to choose=kmeans"},
           {"chameleon(choose=top,synthesis=none)", "synthesis belongs to choose=kmeans"},
           {"flextensor(epsilon=0.5)", "epsilon belongs to method=q, found method=p"},
           {"flextensor(method=q,moves=4)", "moves belongs to method=p, found method=q"},
           {"heron(search=crand,keys=random)", "keys belongs to search=cga, found search=crand"},
           {"heron(search=sa,generations=4)", "generations belongs to search=cga or ga"},
       }) {
    EXPECT_THAT(Refusal(agent), HasSubstr(said)) << agent;
  }
}

// Options that the spec lacks have the default of its mode.
TEST(TunerOptionsTest, TheModeDecidesSlots) {
  EXPECT_EQ(Refusal("autotvm(weight=0.2)"), "");
  EXPECT_THAT(Refusal("autotvm(mode=faithful,weight=0.2)"), HasSubstr("found diversity=0"));
  EXPECT_EQ(Refusal("bayes(mode=faithful,length=2,margin=0.2)"), "");
  EXPECT_EQ(Refusal("flextensor(mode=faithful,change=0.1)"), "");
  EXPECT_THAT(Refusal("flextensor(change=0.1)"), HasSubstr("stop=1 or more, found stop=0"));
}

TEST(TunerOptionsTest, OptionsOfTheirSlotsAreTaken) {
  for (const char* agent :
       {"autotvm(diversity=2,weight=0.2)", "autotvm(features=ansor,transfer=a.sgm,discount=5)",
        "chameleon(explorer=annealing,chains=4)", "chameleon(choose=kmeans,threshold=3)",
        "heron(search=ga,generations=4)", "heron(keys=random)", "flextensor(method=q,epsilon=0.5)",
        "na2c(masked=false)", "ansor(widgets=3)", "gbfs"}) {
    EXPECT_EQ(Refusal(agent), "") << agent;
  }
}

TEST(TunerOptionsTest, AnOptionOfAnotherTunerNamesIt) {
  EXPECT_THAT(Refusal("autotvm(rho=5)"), HasSubstr("rho is no option of it, but of gbfs"));
  const std::string said = Refusal("bayes(chains=4)");
  EXPECT_THAT(said, HasSubstr("adatune, autotvm, chameleon with explorer=annealing"));
  // The agent itself rejects keys that no agent has.
  EXPECT_EQ(Refusal("bayes(widgets=4)"), "");
}

TEST(OutputsInTest, AreThoseOfTheTypeOutput) {
  const auto outputs = [](const std::string& spec) {
    std::vector<std::string> found;
    for (const NamedOutput& one : OutputsIn("--agent", RequireSpec("agent", spec))) {
      found.push_back(one.option + " " + one.place);
    }
    return found;
  };
  EXPECT_THAT(outputs("mcts(tree=a.json)"), ElementsAre("--agent mcts(tree=) a.json"));
  EXPECT_THAT(outputs("blind(agent=harl(checkpoint=\"a b\"))"),
              ElementsAre("--agent harl(checkpoint=) a b"));
  EXPECT_THAT(outputs("ansor(model=a.json)"), IsEmpty()) << "it is read";
  EXPECT_THAT(outputs("mine(tree=a.json)"), IsEmpty()) << "of a plugin nothing is known";
}

TEST(OutputsInTest, NoFileHasAnEmptyName) {
  const auto refusal = [](const std::string& spec) -> std::string {
    try {
      OutputsIn("--agent", RequireSpec("agent", spec));
      return "";
    } catch (const InputError& fault) {
      return fault.what();
    }
  };
  for (const char* key : {"mcts(tree=)", "harl(policy=)", "mcts(prior=)", "autotvm(transfer=)",
                          "transfer(from=)", "tuna(file=)", "policy(file=)", "gradient(model=)"}) {
    const std::string spec = std::string(key).insert(std::string(key).size() - 1, "\"\"");
    EXPECT_EQ(refusal(spec),
              "--agent " + std::string(key) + ": found an empty name, expected a file");
  }
  EXPECT_EQ(refusal("ansor(mode=\"\")"), "") << "its own reader refuses it";
  EXPECT_EQ(refusal("python(module=mine,class=Mine,policy=\"\")"), "");
}

// Each form is one of the agent's own options, so that the check can find it.
TEST(TunerOptionsTest, FormsAreOptions) {
  for (const char* agent : {"adatune", "autotvm", "bayes", "chameleon", "flextensor", "heron"}) {
    for (const OptionText& one : OptionTextsOf("agents", agent)) {
      EXPECT_NO_FATAL_FAILURE(Refusal(std::string(agent) + "(" + one.key + "=1)")) << one.key;
    }
  }
}

}  // namespace
}  // namespace schedulegym
