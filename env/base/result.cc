#include "env/base/result.h"

namespace schedulegym {

const char* ErrorKindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kParse: return "parse";
    case ErrorKind::kIllegal: return "illegal";
    case ErrorKind::kInvalidSchedule: return "invalid_schedule";
    case ErrorKind::kUnsupported: return "unsupported";
    case ErrorKind::kCompile: return "compile_error";
    case ErrorKind::kRun: return "run";
  }
  return "unknown";
}

}  // namespace schedulegym
