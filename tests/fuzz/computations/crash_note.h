// CrashNote: what a crash of this process leaves behind, for the inputs that led to it.
#pragma once

#include <string>

namespace schedulegym {

// From now on a fatal signal writes the note, then exits with 1.
void InstallCrashNote();

// What a crash writes: `text` and, where it has a name, `more_text` to files, `line` to the output.
struct CrashNote {
  std::string file;
  std::string text;
  std::string more_file = {};
  std::string more_text = {};
  std::string line;
};
// Kept where a signal's handler finds it, cut off at some 64 KiB a text.
void SetCrashNote(const CrashNote& note);

}  // namespace schedulegym
