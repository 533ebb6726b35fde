#include "tests/hostile/corpus.h"

#include <algorithm>

namespace schedulegym {
namespace {

constexpr Outcome kOk = Outcome::kOk;
constexpr Outcome kLink = Outcome::kLinkError;
constexpr Outcome kSignal = Outcome::kRunSignal;
constexpr Outcome kLate = Outcome::kRunTimeout;
constexpr Outcome kMemory = Outcome::kOutOfMemory;
constexpr Outcome kBeside = Outcome::kOobWrite;
constexpr Outcome kWrong = Outcome::kWrongOutput;
constexpr Outcome kFickle = Outcome::kNondeterministic;
constexpr Outcome kCorrupt = Outcome::kCorruptResult;

// Signals, time, processes and threads.
std::vector<HostileCase> Ends() {
  return {
      // Signals.
      {"read_null", {kSignal}, "SIGSEGV"},
      {"write_null", {kSignal}, "SIGSEGV"},
      {"illegal", {kSignal}, "SIGILL"},
      {"divide", {kSignal}, "SIGFPE"},
      {"trap", {kSignal}, "SIGTRAP"},
      {"noncanonical", {kSignal}, "SIGSEGV"},
      {"wild_call", {kSignal}, "SIGSEGV"},
      {"privileged", {kSignal}, "SIGSEGV"},
      {"misaligned", {kSignal}, "SIGBUS"},
      {"abort_self", {kSignal}, "tgkill"},
      {"smash_stack", {kSignal}, "SIGSEGV"},
      {"overwrite_code", {kSignal}, "SIGSEGV"},
      {"recurse", {kSignal}, "SIGSEGV"},
      {"large_frame", {kSignal}, "SIGSEGV"},
      {"blocked_signals", {kSignal}, "SIGSEGV"},
      {"last_words", {kSignal}, "SIGILL"},
      // Time.
      {"hang_first", {kLate}, "in a call"},
      {"hang_later", {kLate}, "in a call"},
      {"hang_timed", {kLate}, "while it was timed"},
      {"hang_on_futex", {kLate}, "in a call"},
      {"steal_orders", {kLate}, "in a call"},
      {"slow_call", {kOk}},
      {"sleep_call", {kSignal}, "nanosleep"},
      {"set_alarm", {kSignal}, "setitimer"},
      // Processes and threads.
      {"fork_bomb", {kSignal}, "fork"},
      {"vfork_once", {kSignal}, "vfork"},
      {"thread_bomb", {kSignal}, "clone"},
      {"kill_all", {kSignal}, "kill"},
      {"kill_parent", {kSignal}, "getppid"},
      {"kill_group", {kSignal}, "kill"},
      {"move_parent", {kSignal}, "sched_setaffinity"},
      {"trace_parent", {kSignal}, "ptrace"},
      {"execute", {kSignal}, "execve"},
      {"other_memory", {kSignal}, "process_vm_writev"},
      {"exit_thread", {kSignal}, "exit 0"},
      {"leave_0", {kSignal}, "exit 0"},
      {"leave_3", {kSignal}, "exit 3"},
      {"leave_timed", {kSignal}, "while it was timed"},
      {"status_5", {kWrong}, "the kernel failed"},
      {"status_timed", {kWrong}, "the kernel failed"},
  };
}

// Memory and bounds.
std::vector<HostileCase> Trespasses() {
  return {
      // Memory.
      {"eat_memory", {kMemory}},
      {"map_memory", {kOk}},
      {"map_huge", {kSignal}, "SIGSEGV"},
      {"break_memory", {kMemory}},
      {"unmap_tensors", {kSignal}, "SIGSEGV"},
      {"unmap_all", {kSignal}, "SIGSEGV"},
      {"move_output", {kWrong}, "was not written"},
      {"remap_output", {kBeside}},
      {"shrink_output", {kSignal}, "madvise"},
      {"poison_memory", {kSignal}, "madvise"},
      {"unprotect_input", {kBeside}, "wrote to or beside input A"},
      {"unprotect_guard", {kOk}},
      {"execute_data", {kSignal}, "mprotect"},
      {"map_executable", {kSignal}, "mmap"},
      {"huge_data", {kLink}, "the linker ended"},
      // Bounds.
      {"write_past", {kBeside}, "beside output C"},
      {"write_before", {kBeside}, "beside output C"},
      {"write_before_far", {kBeside}, "beside"},
      {"write_tail_4", {kBeside}, "beside output C"},
      {"write_tail_63", {kBeside}, "beside output C"},
      {"write_front_63", {kBeside}, "beside output C"},
      {"write_far", {kSignal}, "SIGSEGV"},
      {"write_input", {kBeside}, "input B"},
      {"read_past", {kSignal}, "read beside A"},
      {"read_before_far", {kSignal}, "read beside"},
      {"read_far", {kSignal}, "SIGSEGV"},
      {"use_neighbour", {kWrong}},
      {"pack_past", {kBeside}, "beside a packed weight", 1, true},
      {"pack_before", {kBeside}, "beside a packed weight", 1, true},
      {"pack_half", {kWrong}, "C[30]", 1, true},
      {"pack_read_past", {kSignal}, "SIGSEGV", 1, true},
      {"pack_fails", {kWrong}, "the kernel failed", 1, true},
      {"pack_stale", {kWrong}, "", 1, true},
  };
}

// Forged answers, files, rights and messages.
std::vector<HostileCase> Lies() {
  return {
      // Wrong answers.
      {"write_nothing", {kWrong}, "C[0] was not written"},
      {"miss_one", {kWrong}, "C[31] was not written"},
      {"miss_last", {kWrong}, "C[60] was not written"},
      {"write_nan", {kWrong}, "C[5]"},
      {"write_infinity", {kWrong}, "C[5]"},
      {"off_by_little", {kWrong}},
      {"wrong_on_zeros", {kWrong}, "(small integers)"},
      {"wrong_on_reals", {kWrong}, "within"},
      {"wrong_on_integers", {kWrong}, "(small integers)"},
      {"stale", {kWrong}, "(small integers)"},
      {"accumulate", {kWrong}},
      {"decay", {kWrong}, "C[3]"},
      {"by_the_clock", {kFickle}},
      {"search_answer", {kOk}},
      {"lazy_when_timed", {kWrong}, "C[0] was not written"},
      {"lazy_once_known", {kWrong}, "C[0] was not written"},
      // Files and rights.
      {"read_file", {kSignal}, "open"},
      {"write_file", {kSignal}, "open"},
      {"delete_file", {kSignal}, "unlink"},
      {"own_memory_file", {kSignal}, "open"},
      {"environment", {kSignal}, "open"},
      {"open_socket", {kSignal}, "socket"},
      {"rings", {kSignal}, "io_uring_setup"},
      {"undo_filter", {kSignal}, "seccomp"},
      {"undo_rights", {kSignal}, "prctl"},
      {"undo_limits", {kSignal}, "setrlimit"},
      {"old_numbers", {kSignal}, "SIGSYS"},
      {"x32_numbers", {kSignal}, "SIGSYS"},
      {"handle_signals", {kSignal}, "rt_sigaction"},
      // Descriptors, and forged messages.
      {"close_line", {kSignal}, "close"},
      {"replace_line", {kSignal}, "dup2"},
      {"garbage_on_line", {kOk}},
      {"forge_answers", {kWrong}, "was not written"},
      {"forge_then_hang", {kWrong}, "was not written"},
      {"blame_machine", {kWrong}, "xxx"},
      {"flood_line", {kLate}, "in a call"},
      {"flood_stamps", {kLate}, "in a call"},
      // With two cores: kernels of one are warmed up before the checker reads stamps.
      {"false_stamps", {kCorrupt}, "", 2},
      {"talk", {kOk}},
      {"scribble_page", {kOk}},
      {"note_fault", {kBeside}, "beside output C"},
      {"forge_timing", {kCorrupt}, "were seen"},
      {"faster_than_seen", {kCorrupt}, "seen", 2},
  };
}

// Modes of the processor, several threads, objects.
std::vector<HostileCase> Others() {
  return {
      // Floating-point modes and registers.
      {"flush_mode", {kOk}},
      {"rounding_mode", {kOk}},
      {"unmask_exceptions", {kSignal}, "SIGFPE"},
      {"unmask_later", {kSignal}, "SIGFPE"},
      {"backwards", {kOk, kSignal, kLate, kWrong, kBeside}},
      {"clobber", {kSignal, kWrong, kLate}},
      // Several threads.
      {"race", {kWrong}, "", 2},
      {"race_last_bit", {kFickle}, "", 2},
      {"thread_fault", {kSignal}, "SIGSEGV", 2},
      {"thread_hang", {kLate}, "in a call", 2},
      {"thread_exit", {kLate}, "in a call", 2},
      {"thread_recurse", {kSignal}, "SIGSEGV", 2},
      {"more_threads", {kSignal}, "SIGSYS", 2},
      {"read_null", {kSignal}, "SIGSEGV", 2},
      {"exit_thread", {kLate}, "in a call", 2},
      {"fork_bomb", {kSignal}, "fork", 2},
      // Objects.
      {"no_kernel", {kLink}, "no kernel"},
      {"no_pack", {kLink}, "no kernel.pack.0", 1, true},
      {"unknown_symbol", {kLink}, ""},
      {"constructor", {kOk}},
      {"sections", {kOk}},
  };
}

std::vector<HostileCase> MakeCorpus() {
  std::vector<HostileCase> corpus;
  for (const auto& part : {Ends(), Trespasses(), Lies(), Others()}) {
    corpus.insert(corpus.end(), part.begin(), part.end());
  }
  return corpus;
}

}  // namespace

void PrintTo(const HostileCase& hostile, std::ostream* out) { *out << hostile.name; }

const std::vector<HostileCase>& HostileCorpus() {
  static const std::vector<HostileCase> corpus = MakeCorpus();
  return corpus;
}

bool IsExpected(const HostileCase& hostile, Outcome outcome) {
  return std::find(hostile.outcomes.begin(), hostile.outcomes.end(), outcome) !=
         hostile.outcomes.end();
}

}  // namespace schedulegym
