# SPDX-License-Identifier: Apache-2.0
# Finds the C++ Actor Framework where the distribution ships no CMake package for it (Debian's libcaf-dev).
#
# Defines CAF::core, and CAF::io where libcaf_io is installed. Sets CAF_FOUND and CAF_VERSION (major.minor.patch, read
# from caf/config.hpp). CAF_ROOT names another prefix, e.g. of a CAF built with -fsanitize=thread.
include(FindPackageHandleStandardArgs)

find_path(CAF_INCLUDE_DIR caf/config.hpp)
find_library(CAF_core_LIBRARY caf_core)
find_library(CAF_io_LIBRARY caf_io)
mark_as_advanced(CAF_INCLUDE_DIR CAF_core_LIBRARY CAF_io_LIBRARY)

if(CAF_INCLUDE_DIR)
  file(STRINGS ${CAF_INCLUDE_DIR}/caf/config.hpp caf_version_line REGEX "^#define CAF_VERSION [0-9]+")
  # One number, two digits a part: 1706 is 0.17.6.
  if(caf_version_line MATCHES "CAF_VERSION ([0-9]+)")
    math(EXPR caf_major "${CMAKE_MATCH_1} / 10000")
    math(EXPR caf_minor "${CMAKE_MATCH_1} / 100 % 100")
    math(EXPR caf_patch "${CMAKE_MATCH_1} % 100")
    set(CAF_VERSION ${caf_major}.${caf_minor}.${caf_patch})
  endif()
endif()

find_package_handle_standard_args(CAF REQUIRED_VARS CAF_core_LIBRARY CAF_INCLUDE_DIR VERSION_VAR CAF_VERSION)

# caf_target(COMPONENT DEPENDENCY...): the imported target of one library.
function(caf_target component)
  if(NOT TARGET CAF::${component})
    add_library(CAF::${component} UNKNOWN IMPORTED)
    set_target_properties(CAF::${component} PROPERTIES
      IMPORTED_LOCATION ${CAF_${component}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${CAF_INCLUDE_DIR}
      INTERFACE_LINK_LIBRARIES "${ARGN}")
  endif()
endfunction()

if(CAF_FOUND)
  find_package(Threads REQUIRED)
  caf_target(core Threads::Threads)
  if(CAF_io_LIBRARY)
    caf_target(io CAF::core)
  endif()
endif()
