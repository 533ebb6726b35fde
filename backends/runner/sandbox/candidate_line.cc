#include "backends/runner/sandbox/candidate_line.h"

#include <unistd.h>

namespace schedulegym {
namespace {

template <typename T>
bool WriteWhole(int descriptor, const T& message) {
  return write(descriptor, &message, sizeof message) == static_cast<ssize_t>(sizeof message);
}

}  // namespace

CandidateAnswer MakeAnswer(uint64_t number, int32_t status, const std::string& message) {
  CandidateAnswer answer;
  answer.number = number;
  answer.status = status;
  message.copy(answer.message, sizeof answer.message - 1);
  return answer;
}

bool SendAnswer(int descriptor, const CandidateAnswer& answer) {
  return WriteWhole(descriptor, answer);
}

bool SendStamp(int descriptor, size_t series, bool begins) {
  return WriteWhole(descriptor, SampleStamp{static_cast<uint8_t>(series), begins});
}

}  // namespace schedulegym
