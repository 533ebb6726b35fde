#include "tests/fuzz/computations/crash_note.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace schedulegym {
namespace {

struct KeptFile {
  char name[512];
  char text[1 << 16];
};

// A signal handler has no parameter for it.
struct Kept {
  KeptFile files[2];
  char line[1024];
};
Kept kept;

void WriteWhole(int file, const char* text) {
  const ssize_t written = write(file, text, std::strlen(text));
  (void)written;  // a failed write cannot be handled here
}

extern "C" void OnCrash(int) {
  for (const KeptFile& one : kept.files) {
    if (one.name[0] == 0) continue;
    const int file = open(one.name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0) WriteWhole(file, one.text);
  }
  WriteWhole(STDOUT_FILENO, kept.line);
  _exit(1);
}

template <size_t N>
void Put(char (&to)[N], const std::string& text) {
  std::snprintf(to, N, "%s", text.c_str());
}

}  // namespace

void InstallCrashNote() {
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) signal(number, OnCrash);
}

void SetCrashNote(const CrashNote& note) {
  Put(kept.files[0].name, note.file);
  Put(kept.files[0].text, note.text);
  Put(kept.files[1].name, note.more_file);
  Put(kept.files[1].text, note.more_text);
  Put(kept.line, note.line);
}

}  // namespace schedulegym
