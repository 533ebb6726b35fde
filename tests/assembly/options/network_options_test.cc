#include <gtest/gtest.h>

#include <set>
#include <string>

#include "agents/learned/scorer/scorer_options.h"
#include "assembly/options/option_text.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

// The keys listed in the error for an unknown one.
std::set<std::string> KeysOf(const std::string& model) {
  try {
    ReadScorerOptions(RequireSpec("model", model + "(zzz=1)"));
  } catch (const InputError& fault) {
    std::string text = fault.what();
    text = text.substr(text.find("one of") + 6);
    std::set<std::string> keys;
    std::string word;
    for (const char c : text + ",") {
      if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
        word += c;
      } else if (!word.empty()) {
        keys.insert(std::exchange(word, ""));
      }
    }
    return keys;
  }
  return {};
}

TEST(NetworkOptionsTest, RowsAreTheKeysAndDefaultsThatAreRead) {
  for (const ScorerText& text : ScorerTexts()) {
    const std::string model = text.name;
    std::set<std::string> listed;
    for (const OptionText& one : OptionTextsOf("models", model)) {
      listed.insert(one.key);
      const std::string usual = model + "(" + one.key + "=" + one.default_value + ")";
      EXPECT_NO_THROW(ReadScorerOptions(RequireSpec("model", usual))) << usual;
      const std::string published = model + "(mode=faithful" +
                                    (one.key == "mode" ? "" : "," + one.key + "=" + one.published) +
                                    ")";
      EXPECT_NO_THROW(ReadScorerOptions(RequireSpec("model", published))) << published;
    }
    EXPECT_EQ(listed, KeysOf(model)) << model;
  }
}

}  // namespace
}  // namespace schedulegym
