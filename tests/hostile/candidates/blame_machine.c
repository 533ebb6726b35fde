// Answers that the machine is to blame.
#include "candidate.h"

int kernel(Arguments arguments) {
  (void)arguments;
  struct Answer answer = {0};
  answer.status = 1;
  for (int i = 0; i < (int)sizeof answer.message; ++i) answer.message[i] = 'x';
  AnswerInAdvance(&answer);
  return 0;
}
