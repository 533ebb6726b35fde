// Answers that all is well, and never comes back.
#include "candidate.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  struct Answer answer = {0};
  AnswerInAdvance(&answer);
  HangForever();
}
