// How a hostile candidate finds the page of results: a pointer to it lies on the stack above.
#pragma once

#include "candidate.h"

enum { kMostSamples = 128 };

struct Note {
  int32_t signal, system_call;
  uint64_t address;
  int32_t is_write;
};
struct Series {
  double first_call_seconds;
  int64_t calls_per_sample;
  int32_t rounds;
  float samples[kMostSamples];
  double cpu_per_wall;
  int32_t has_counters;
  double instructions, cycles;
};
struct Page {
  struct Note fault;
  struct Series series[2];
  int32_t early_reject;
};

// Twenty samples of one call each, still to be filled in.
static inline struct Series* Claim(struct Page* page, int which) {
  struct Series* series = &page->series[which];
  series->first_call_seconds = 1e-6;
  series->calls_per_sample = 1;
  series->rounds = 20;
  series->cpu_per_wall = 1;
  return series;
}

// But for the note, which says in a number of its own that there is none.
static inline int IsEmptyPage(const uint64_t* page) {
  for (int i = sizeof(struct Note) / 8; i < 512; ++i) {
    if (page[i] != 0) return 0;
  }
  return 1;
}

// Private memory may be given back this way, shared memory may not.
static inline int IsShared(const void* page) {
  enum { kFree = 8, kInvalid = -22 };
  return Ask(kMadvise, (long)page, 4096, kFree) == kInvalid;
}

// Null where there is none.
static inline struct Page* FindPage(void) {
  const uint64_t* word = (const uint64_t*)__builtin_frame_address(0);
  for (int i = 0; i < 4096; ++i) {
    if (((uintptr_t)&word[i] & 4095) == 0 && !IsReadable(&word[i])) return 0;
    const uint64_t value = word[i];
    if (value == 0 || (value & 4095) != 0 || !IsReadable((const void*)value)) continue;
    if (IsEmptyPage((const uint64_t*)value) && IsShared((const void*)value))
      return (struct Page*)value;
  }
  return 0;
}
