// Registry: the things of one kind that can be named, each with its maker.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/base/text.h"

namespace schedulegym {

// What `list` says of a thing.
struct CatalogLine {
  std::string name;
  std::string parameters;  // "retries=1000", "" if it has none
  std::string description;
};

template <typename Maker>
class Registry {
 public:
  // `kind` as messages name it, such as "agent".
  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  // Throws InputError where the name is taken.
  void Add(CatalogLine line, Maker make) {
    for (const auto& [known, maker] : items_) {
      if (known.name != line.name) continue;
      throw InputError(kind_ + " '" + line.name + "' exists already, expected another name");
    }
    items_.emplace_back(std::move(line), std::move(make));
  }

  // Makes another of what is there by that name; nothing where there is none.
  void Replace(const std::string& name, const Maker& make) {
    for (auto& [known, maker] : items_) {
      if (known.name == name) maker = make;
    }
  }

  // Throws InputError for an unknown name, with those that exist.
  const Maker& Find(const Spec& spec) const {
    std::vector<std::string> names;
    for (const auto& [line, maker] : items_) {
      if (line.name == spec.name) return maker;
      names.push_back(line.name);
    }
    throw InputError(UnknownName(kind_, spec.name, names));
  }

  std::vector<CatalogLine> lines() const {
    std::vector<CatalogLine> lines;
    for (const auto& [line, maker] : items_) lines.push_back(line);
    return lines;
  }

 private:
  std::string kind_;
  std::vector<std::pair<CatalogLine, Maker>> items_;
};

}  // namespace schedulegym
