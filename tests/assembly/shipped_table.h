// ShippedTable: the tables in the package.
#pragma once

#include <string>

namespace schedulegym {

std::string ShippedTable(const std::string& name);

}  // namespace schedulegym
