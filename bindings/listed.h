// Listed: what a shelf of the catalog has, for Python: name to parameters with their defaults.
#pragma once

#include <map>
#include <string>

#include "assembly/catalog.h"

namespace schedulegym {

template <typename Maker>
std::map<std::string, std::string> Listed(const Shelf<Maker>& shelf) {
  std::map<std::string, std::string> all;
  for (const CatalogLine& line : shelf.lines()) all[line.name] = line.parameters;
  return all;
}

}  // namespace schedulegym
