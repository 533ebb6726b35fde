// FollowLinks: the file for which the last name of a path stands.
#pragma once

#include <string>
#include <system_error>

namespace schedulegym {

// The path at which the symbolic links of its last name end; it need not exist. A path whose last
// name is no link is returned as it is. The link of an open descriptor (/proc/self/fd/1) is not
// followed: its text is no path. Sets `error` for a loop of links and for a folder that may not be
// searched; the path is then returned.
std::string FollowLinks(const std::string& path, std::error_code& error);

}  // namespace schedulegym
