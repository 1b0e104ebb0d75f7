#pragma once

#include <string_view>

/// The sanitizer that the program under test is built with.
namespace warpfold::test {

inline constexpr std::string_view sanitizers = WARPFOLD_SANITIZERS;  // "fsanitize=address,undefined", say
inline constexpr bool under_address_sanitizer = sanitizers.find("address") != sanitizers.npos;
inline constexpr bool under_thread_sanitizer = sanitizers.find("thread") != sanitizers.npos;

/// Both hold memory in addition to the program's.
inline constexpr bool under_sanitizer = under_address_sanitizer || under_thread_sanitizer;

}  // namespace warpfold::test
