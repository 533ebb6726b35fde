// Every primitive; adding one adds one line here and one word in primitive.h.
#pragma once

#include "env/schedule/primitives/annotations.h"
#include "env/schedule/primitives/cache.h"
#include "env/schedule/primitives/compute.h"
#include "env/schedule/primitives/fuse.h"
#include "env/schedule/primitives/pack.h"
#include "env/schedule/primitives/reorder.h"
#include "env/schedule/primitives/rfactor.h"
#include "env/schedule/primitives/split.h"
#include "env/schedule/primitives/storage_align.h"
