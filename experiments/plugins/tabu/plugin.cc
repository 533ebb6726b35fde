// The agents of this library.
#include "tabu_search.h"

SG_PLUGIN(agents) {
  agents.push_back({"tabu", tabu::kParameters,
                    "the best of some neighbours is next; what was given up of late is not taken "
                    "back",
                    tabu::MakeTabuAgent});
}
