// CandidateLine: messages between the checker and a candidate's process, each one message of a
// socket that keeps their borders.
#pragma once

#include <cstdint>
#include <string>

namespace schedulegym {

enum class CandidateOrder : uint32_t {
  kCall = 1,  // one call on an input set, in the default floating-point mode
  kTime = 2,  // interleaved with the reference, on the timing set
  kQuit = 3,
  kWarmUp = 4,  // the first part of the next kTime
};

struct CandidateCommand {
  uint64_t number = 0;  // counts the orders from 1
  CandidateOrder order = CandidateOrder::kQuit;
  uint32_t set = 0;
  uint64_t seed = 0;  // of the interleaving
  uint32_t has_best_ratio = 0;
  uint32_t finalist = 0;
  uint32_t control = 0;  // the reference against itself: no fewer rounds than a control needs
  double best_ratio = 0;
  int64_t reference_calls = 0;  // of the reference in a sample; 0: determine it
};

// Answers the command with the same number; number 0 comes once, unrequested, when the process is
// ready. Candidates can write to the line, too. A message with another number or size is not an
// answer; a forged answer only changes the order of the forger's steps.
struct CandidateAnswer {
  uint64_t number = 0;
  int32_t status = 0;  // 0, or what the kernel returned
  uint32_t link_failed = 0;
  char message[240] = {};
};

// Sent on the socket of stamps before and after each sample.
struct SampleStamp {
  uint8_t series = 0;  // 0: reference, 1: candidate
  uint8_t begins = 0;
};

// Truncates a message that is too long for the answer.
CandidateAnswer MakeAnswer(uint64_t number, int32_t status, const std::string& message);

// Both return false if the reader is gone.
bool SendAnswer(int descriptor, const CandidateAnswer& answer);
bool SendStamp(int descriptor, size_t series, bool begins);

}  // namespace schedulegym
