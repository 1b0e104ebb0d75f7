#pragma once

/// The sanitizer that a test program runs under, with the whole of warpfold.
namespace warpfold::test {

#if defined(__has_feature)  // clang's way to say so; GCC's are macros
inline constexpr bool under_address_sanitizer = __has_feature(address_sanitizer);
inline constexpr bool under_thread_sanitizer = __has_feature(thread_sanitizer);
#else
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool under_address_sanitizer = true;
#else
inline constexpr bool under_address_sanitizer = false;
#endif
#if defined(__SANITIZE_THREAD__)
inline constexpr bool under_thread_sanitizer = true;
#else
inline constexpr bool under_thread_sanitizer = false;
#endif
#endif

/// Either holds memory of its own beside what the program asks for.
inline constexpr bool under_sanitizer = under_address_sanitizer || under_thread_sanitizer;

}  // namespace warpfold::test
