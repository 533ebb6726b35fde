// Extra column: what a record has beyond an SQLite store's other columns, in one text.
#pragma once

#include <string>

#include "env/measure/record.h"

namespace schedulegym {

// A JSON object of `extra` and, as field `note`, the note; "" of neither. Programs of before there
// were notes take them for a field that they do not know, and keep it.
std::string ToExtraColumn(const Record& record);

// Sets extra and note. Takes any text.
void FromExtraColumn(const std::string& column, Record& record);

}  // namespace schedulegym
