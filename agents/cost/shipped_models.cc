// Trained models that come with the program. Each is two files of the folder `shipped`, the packed
// model and its card, which the assembler puts into the program's constant data. A name is looked
// up in a list; its model is unpacked at each call, which takes some milliseconds.
#include "agents/cost/shipped_models.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/gzip.h"
#include "env/base/text.h"

// A name here is a model: the files NAME.model.gz and NAME.card of the folder `shipped`.
#define SG_SHIPPED(USE)       \
  USE(pretrained)             \
  USE(pretrained_mlp)         \
  USE(pretrained_tlp)         \
  USE(pretrained_pacm)        \
  USE(pretrained_recursive)   \
  USE(pretrained_oneshot_net) \
  USE(pretrained_stages)      \
  USE(pretrained_tuna)

// Embeds the files unchanged; the assembler finds them.
#define SG_EMBED(symbol, file)                  \
  asm(".pushsection .rodata\n"                  \
      ".balign 16\n"                            \
      ".hidden schedulegym_" symbol             \
      "_begin\n"                                \
      ".global schedulegym_" symbol             \
      "_begin\n"                                \
      "schedulegym_" symbol                     \
      "_begin:\n"                               \
      ".incbin \"" SCHEDULEGYM_SHIPPED "/" file \
      "\"\n"                                    \
      ".hidden schedulegym_" symbol             \
      "_end\n"                                  \
      ".global schedulegym_" symbol             \
      "_end\n"                                  \
      "schedulegym_" symbol                     \
      "_end:\n"                                 \
      ".popsection\n")
#define SG_EMBED_BOTH(name)                    \
  SG_EMBED(#name "_model", #name ".model.gz"); \
  SG_EMBED(#name "_card", #name ".card");
SG_SHIPPED(SG_EMBED_BOTH)

#define SG_DECLARE(name)                                    \
  extern "C" const char schedulegym_##name##_model_begin[]; \
  extern "C" const char schedulegym_##name##_model_end[];   \
  extern "C" const char schedulegym_##name##_card_begin[];  \
  extern "C" const char schedulegym_##name##_card_end[];
SG_SHIPPED(SG_DECLARE)

namespace schedulegym {
namespace {

struct ShippedModel {
  const char* name;
  std::string_view packed, card;
};

#define SG_ROW(name)                                                               \
  ShippedModel{#name,                                                              \
               {schedulegym_##name##_model_begin, schedulegym_##name##_model_end}, \
               {schedulegym_##name##_card_begin, schedulegym_##name##_card_end}},

std::vector<ShippedModel> All() { return {SG_SHIPPED(SG_ROW)}; }

std::optional<ShippedModel> Find(const std::string& name) {
  for (const ShippedModel& one : All()) {
    if (name == one.name) return one;
  }
  return std::nullopt;
}

// Throws for a word that names no file but starts as a shipped model does.
void RefuseUnknown(const std::string& word) {
  std::error_code error;
  if (!word.starts_with("pretrained") || std::filesystem::exists(word, error)) return;
  throw InputError(UnknownName("trained model", word, ShippedModelNames()));
}

}  // namespace

std::vector<std::string> ShippedModelNames() {
  std::vector<std::string> names;
  for (const ShippedModel& one : All()) names.emplace_back(one.name);
  return names;
}

std::optional<std::string> ShippedModelBytes(const std::string& name) {
  const std::optional<ShippedModel> found = Find(name);
  if (!found) return std::nullopt;
  return Gunzip(found->packed, kModelFile.most_bytes);
}

std::optional<std::string> ShippedModelCard(const std::string& name) {
  const std::optional<ShippedModel> found = Find(name);
  if (!found) return std::nullopt;
  return std::string(found->card);
}

// Each network that `train` takes is also shipped.
void RefuseUntrainedNetwork(const Spec& model) {
  const std::string trained = "pretrained_" + model.name;
  const std::optional<std::string> bytes = ShippedModelBytes(trained);
  if (!bytes || !bytes->starts_with("schedulegym memory: scorer ")) return;
  std::error_code error;
  if (model.options.empty() && std::filesystem::exists(model.name, error)) return;
  throw InputError("model " + model.name +
                   ": a network is trained beforehand, expected the file of train " + model.name +
                   " --data FILE -o MODEL, or " + trained);
}

SavedModelState ReadSavedModel(const std::string& word, const std::vector<std::string>& kinds) {
  std::optional<std::string> bytes = ShippedModelBytes(word);
  if (!bytes) {
    RefuseUnknown(word);
    RefuseUntrainedNetwork({word, {}});
    return ReadModelState(word, kModelFile, kinds);
  }
  SavedModelState saved = ParseModelState(*std::move(bytes), "model " + word);
  if (std::ranges::find(kinds, saved.kind) != kinds.end()) return saved;
  throw InputError("model " + word + ": found kind '" + saved.kind + "', expected '" +
                   Join(kinds, "' or '") + "'");
}

}  // namespace schedulegym
