// Registry: the entries of one kind that a spec can name, each with its maker.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/base/text.h"

namespace schedulegym {

// The line that `list` prints for an entry.
struct CatalogLine {
  std::string name;
  std::string parameters;  // options with their defaults, "retries=1000"; "" for none
  std::string description;
};

// One entry: its line, and the function that makes it from a spec.
template <typename Maker>
struct RegistryEntry {
  std::string name;
  std::string parameters;
  std::string description;
  Maker make;

  CatalogLine line() const { return {name, parameters, description}; }
};

template <typename Maker>
class Registry {
 public:
  // `kind` appears in messages, such as "agent". `other_names` ends the message for an unknown
  // name: names that are valid beside the entries. Throws InputError if a name occurs twice.
  explicit Registry(std::string kind, std::vector<RegistryEntry<Maker>> entries = {},
                    std::string other_names = "")
      : kind_(std::move(kind)), other_names_(std::move(other_names)) {
    for (RegistryEntry<Maker>& entry : entries) Add(std::move(entry));
  }

  // Throws InputError if the name is taken.
  void Add(RegistryEntry<Maker> entry) {
    if (Has(entry.name)) {
      throw InputError(kind_ + " '" + entry.name + "' exists already, expected another name");
    }
    entries_.push_back(std::move(entry));
  }

  // Replaces the maker of the entry of that name. Does nothing if there is no such entry.
  void Replace(const std::string& name, Maker make) {
    if (Has(name)) entries_[Position(name)].make = std::move(make);
  }

  bool Has(const std::string& name) const { return Position(name) < entries_.size(); }

  // Throws InputError for an unknown name; the message lists the existing names.
  const RegistryEntry<Maker>& At(const std::string& name) const {
    const size_t position = Position(name);
    if (position < entries_.size()) return entries_[position];
    throw InputError(UnknownName(kind_, name, names()) + other_names_);
  }
  // Returns the maker of the entry that the spec names. Throws like At.
  const Maker& Find(const Spec& spec) const { return At(spec.name).make; }

  const std::string& kind() const { return kind_; }
  size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const RegistryEntry<Maker>& entry : entries_) names.push_back(entry.name);
    return names;
  }
  std::vector<CatalogLine> lines() const {
    std::vector<CatalogLine> lines;
    for (const RegistryEntry<Maker>& entry : entries_) lines.push_back(entry.line());
    return lines;
  }

 private:
  // Returns the position of the entry; the size if there is none.
  size_t Position(const std::string& name) const {
    size_t position = 0;
    while (position < entries_.size() && entries_[position].name != name) ++position;
    return position;
  }

  std::string kind_;
  std::string other_names_;
  std::vector<RegistryEntry<Maker>> entries_;
};

}  // namespace schedulegym
