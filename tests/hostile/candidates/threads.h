// The runtime's parallel regions, for candidates of several threads.
#pragma once

#include "candidate.h"

void GOMP_parallel(void (*task)(void*), void* data, unsigned threads, unsigned flags);
int omp_get_thread_num(void);
