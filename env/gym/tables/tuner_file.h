// TunerFile: results of other tuners as tables: files of the schemas T4 and T1 of the auto-tuning
// community, as Kernel Tuner writes them and benchmark_hub keeps them.
#pragma once

#include <string>
#include <string_view>

#include "env/gym/tables/table.h"

namespace schedulegym {

inline constexpr int64_t kMostTunerRows = 200000;

// `results` is a T4 file. Each configuration gives a row; the later of two results replaces the
// earlier. The objective is the first one that the file names, or `time`. It must be a time: a
// number, or the median of a list, in its unit, or in milliseconds if the unit is empty and the
// name begins with `time`. A result that is not `correct` is a failure. A row costs the times of
// compiling, benchmarking (else of all runs) and validating, as in Kernel Tuner's simulation. They
// are in the file's `timeunit`, or in milliseconds.
//
// `input` is the matching T1 file, or empty. It names the kernel, the device, and the parameters
// with their values in order. Without it, these come from the configurations, numbers ascending. A
// parameter with one value is no knob. The reference is the configuration of T1's defaults if it
// succeeded, else the median of all successes.
//
// The task is a stand-in made for the file, since the kernels are not ours. Throws InputError, one
// line that begins with `name`.
Table ParseTunerFile(std::string_view results, std::string_view input, const std::string& name);

// Reads a table of either kind: one of our own (table_file.h), for which `input` must be "", or a
// T4 file, for which it may be "". The file may be compressed with gzip. Also throws InputError if
// a file cannot be read.
Table ReadAnyTable(const std::string& path, const std::string& input = "");

}  // namespace schedulegym
