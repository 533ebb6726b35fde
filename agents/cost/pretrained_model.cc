#include "agents/cost/pretrained_model.h"

#include <string_view>

#include "env/base/gzip.h"

// The compressed file as it is, found by the assembler.
asm(R"(
.pushsection .rodata
.balign 16
.hidden schedulegym_pretrained_begin
.global schedulegym_pretrained_begin
schedulegym_pretrained_begin:
.incbin ")" SCHEDULEGYM_PRETRAINED R"("
.hidden schedulegym_pretrained_end
.global schedulegym_pretrained_end
schedulegym_pretrained_end:
.popsection
)");

extern "C" const char schedulegym_pretrained_begin[];
extern "C" const char schedulegym_pretrained_end[];

namespace schedulegym {
namespace {

constexpr int64_t kMostBytes = 64 << 20;

}  // namespace

std::string PretrainedTrees() {
  return Gunzip({schedulegym_pretrained_begin, schedulegym_pretrained_end}, kMostBytes);
}

}  // namespace schedulegym
