#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "agents/builtin_agents.h"
#include "agents/evolution/ansor.h"
#include "env/base/fault.h"
#include "spaces/ansor/sketch_space.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Defaults of Pruner's code; without a draft model mode=faithful is TVM's Ansor.
TEST(AnsorOptionsTest, FaithfulWithADraftIsPruners) {
  const auto options = [](const std::string& text) {
    return ReadAnsorOptions(ParseSpec("ansor(" + text + ")").value());
  };
  const AnsorOptions pruner = options("mode=faithful,draft=estimate");
  EXPECT_EQ(pruner.evolution.population, 1536);
  EXPECT_EQ(pruner.evolution.generations, 2);
  EXPECT_EQ(pruner.evolution.mutation, 0.85);
  EXPECT_EQ(pruner.round, 10);
  EXPECT_EQ(pruner.epsilon, 0.1);
  EXPECT_EQ(pruner.local, 0);
  EXPECT_EQ(pruner.draft->drafted, 512);
  EXPECT_EQ(pruner.draft->redraft, 2);
  EXPECT_EQ(pruner.draft->beside, 0.1);
  EXPECT_EQ(options("mode=faithful,draft=estimate,round=64").round, 64);
  for (const char* others : {"mode=faithful", "draft=estimate"}) {
    EXPECT_EQ(options(others).evolution.population, 2048) << others;
    EXPECT_EQ(options(others).evolution.generations, 4) << others;
    EXPECT_EQ(options(others).round, 64) << others;
    EXPECT_EQ(options(others).epsilon, 0.05) << others;
  }
}

TEST(AnsorOptionsTest, BadOptionsAreRefused) {
  const auto space = MakeAnsorSpace({"ansor", {}});
  for (const auto& [options, text] :
       {std::pair{"ansor(population=0)", "population=0"},
        {"ansor(generations=-1)", "generations"},
        {"ansor(mutation=1.5)", "mutation=1.5"},
        {"ansor(epsilon=-1.0)", "epsilon"},
        {"ansor(local=2.0)", "local=2"},
        {"ansor(beam=true,local=0.5)", "local=0.5 has no effect"},
        {"ansor(features=some)", "estimated"},
        {"ansor(mode=slow)", "faithful"},
        {"ansor(models=all)", "task"},
        {"ansor(trusted=-1)", "trusted=-1"},
        {"ansor(model=random,trusted=8)", "with model=random"},
        {"ansor(model=analytical,estimate_first=true)", "with model=analytical"},
        {"ansor(features=ansor,estimate_first=true)", "features=ansor leaves out"},
        {"ansor(model=best)", "cannot read 'best': No such file"},
        {"ansor(model=best)", "; model is boosted, pretrained, "},
        {"ansor(model=5)", "model"},
        {"ansor(beam=3)", "true or false"},
        {"ansor(beem=true)", "population"},
        {"ansor(beam=true,beam_width=0)", "beam_width=0"},
        {"ansor(beam=true,niches=true)", "niches=true has no effect"},
        {"ansor(mode=faithful,niches=true)", "with local=0"},
        {"ansor(niches=2)", "true or false"},
        {"ansor(drafted=64)", "drafted=64 has no effect with draft=none"},
        {"ansor(model=analytical,draft=estimate)", "draft=estimate has no effect"},
        {"ansor(beam=true,draft=estimate)", "draft=estimate has no effect with beam=true"},
        {"ansor(draft=psa)", "draft is none, estimate, or a trained model"},
        {"ansor(draft=boosted)", "draft=boosted: model boosted is not trained"},
        {"ansor(draft=tlp)", "tlp"},
        {"ansor(draft=pretrained_mlp)", "draft=pretrained_mlp is a network, expected a cheaper"},
        {"ansor(draft=analytical(version=9))", "version"},
        {"ansor(trusted=10,warm_up=64)", "trusted=10 has no effect with warm_up=64"},
        {"ansor(by=form)", "by=form has no effect with models=run"},
        {"ansor(model=analytical,warm_up=64)", "warm_up=64 has no effect"},
        {"ansor(beside=0.2)", "beside=0.2 has no effect with draft=none"},
        {"ansor(draft=estimate,beside=2)", "beside"},
        {"ansor(beam_width=8)", "beam_width=8 has no effect"},
        {"ansor(beam=true,generations=4)", "generations=4 has no"},
        {"ansor(beam=true,mutation=0.5)", "mutation=0.5 has no"},
        {"ansor(beam=true,finetune=false)", "with beam=true"},
        {"ansor(finetune=false,mutation=0.5)", "with finetune=false"},
        {"ansor(finetune=false,generations=0)", "generations=0"}}) {
    try {
      const SingleTaskAgent agent(ParseSpec(options).value(), *space, {}, Rng(1));
      ADD_FAILURE() << options << " was taken";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  }
}

}  // namespace
}  // namespace schedulegym
