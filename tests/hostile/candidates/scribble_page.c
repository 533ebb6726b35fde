// Fills the page of results with garbage, while it is not timed.
#include "result_page.h"

int kernel(Arguments arguments) {
  Compute(arguments);
  uint64_t* page = (uint64_t*)FindPage();
  for (int i = 0; page != 0 && i < 512; ++i) page[i] = 0xDEADBEEFDEADBEEF;
  return 0;
}
