// SPDX-License-Identifier: Apache-2.0
// The lines of a gzipped text file, for test data.
#pragma once

#include <string>
#include <vector>

namespace tessera::test {

/// The lines that are not empty, without line ends. An unreadable file fails the running test.
std::vector<std::string> read_gzip_lines(const std::string& path);

}  // namespace tessera::test
