#include "experiments/cli/common/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace schedulegym {

std::optional<Screen> ScreenOf(std::FILE* stream) {
  winsize size = {};
  if (isatty(fileno(stream)) != 1) return std::nullopt;
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return Screen{};
  return Screen{size.ws_row, size.ws_col};
}

}  // namespace schedulegym
