#include "tests/assembly/shipped_table.h"

namespace schedulegym {

std::string ShippedTable(const std::string& name) {
  return std::string(SG_SOURCE_DIR) + "/bindings/schedulegym/tables/" + name + ".table";
}

}  // namespace schedulegym
