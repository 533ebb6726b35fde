// Field: one named member of a primitive. Text, parsing, hash and equality use the list of fields.
#pragma once

#include <string_view>
#include <tuple>

namespace schedulegym {

template <typename Owner, typename Member>
struct Field {
  std::string_view name;
  Member Owner::*member;
  std::string_view help;  // one phrase for `list primitives`
};

// A primitive P defines `P::kName`, `P::kHelp` and a tuple of fields `P::Fields()`.
template <typename P, typename Visitor>
constexpr void ForEachField(const Visitor& visitor) {
  std::apply([&](const auto&... field) { (visitor(field), ...); }, P::Fields());
}

}  // namespace schedulegym
