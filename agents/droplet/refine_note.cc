#include "agents/droplet/refine_note.h"

#include <string_view>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

constexpr const char* kName = "refine";

RefineNote ReadNote(const Spec& spec) {
  SpecReader reader(spec, "note");
  RefineNote note;
  note.of = ParseKey(reader.Word("of", "")).value_or(Key());
  note.published = reader.Choice("mode", "fixed", {"fixed", "faithful"}) == "faithful";
  if (note.published) note.better.test = BetterTest::kStudent;
  ReadLevel(reader, "note", note.better);
  note.agent = reader.OptionalSpec("agent");
  note.after = reader.OptionalInteger("after");
  return note;
}

}  // namespace

std::string RefineNote::ToText() const {
  Spec spec{kName, {{"of", {of.ToText()}}}};
  if (published) spec.options.push_back({"mode", {Spec{"faithful", {}}}});
  if (better.p != BetterRule().p) spec.options.push_back({"p", {better.p}});
  if (agent) spec.options.push_back({"agent", {*agent}});
  if (after) spec.options.push_back({"after", {*after}});
  return spec.ToText();
}

std::optional<RefineNote> ParseRefineNote(const std::string& note) {
  if (!std::string_view(note).starts_with(kName)) return std::nullopt;  // most
  const Result<Spec> spec = ParseSpec(note);
  if (!spec || spec->name != kName) return std::nullopt;
  try {
    return ReadNote(*spec);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace schedulegym
