// TunerFile: results of other tuners as tables: files of the schemas T4 and T1 of the auto-tuning
// community, as Kernel Tuner writes them and benchmark_hub keeps them.
#pragma once

#include <string>
#include <string_view>

#include "env/gym/tables/table.h"

namespace schedulegym {

inline constexpr int64_t kMostTunerRows = 200000;

// `results` is a T4 file: a row for each configuration, the later of two results of one. The
// objective is the first one that it names, or `time`, and must be a time: a number, or a list,
// whose median counts; in its unit, or milliseconds where that is empty and its name begins with
// `time`. What is not `correct` is a failure. A row costs the times of compiling, benchmarking (or
// else of all runs) and validating, in the file's `timeunit`, or milliseconds: what Kernel Tuner's
// simulation counts.
//
// `input` is the T1 file that goes with it, or empty: it names the kernel, the device, and the
// parameters and their values in order; without it, they are those of the configurations, numbers
// rising. What has one value is no knob. The reference is the configuration of T1's defaults if it
// succeeded, else the median of all successes.
//
// The task is a stand-in of the file's own, since the kernels are not ours. Throws InputError, one
// line with `name` in front.
Table ParseTunerFile(std::string_view results, std::string_view input, const std::string& name);

// A table of either kind: one of our own (table_file.h), with which no `input` goes, or a T4 file.
// The file may be compressed with gzip. Throws InputError where a file cannot be read, too. `input`
// may be "".
Table ReadAnyTable(const std::string& path, const std::string& input = "");

}  // namespace schedulegym
