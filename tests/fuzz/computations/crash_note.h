// CrashNote: files that a crash of this process writes, with the inputs that caused it.
#pragma once

#include <string>

namespace schedulegym {

// From now on a fatal signal writes the note, then exits with 1.
void InstallCrashNote();

// On a crash `text` and, if it has a name, `more_text` go to files, `line` to the output.
struct CrashNote {
  std::string file;
  std::string text;
  std::string more_file = {};
  std::string more_text = {};
  std::string line;
};
// Stores the note for the signal handler, cut off at some 64 KiB a text.
void SetCrashNote(const CrashNote& note);

}  // namespace schedulegym
