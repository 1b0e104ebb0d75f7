#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "io/uninterrupted.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

std::atomic<bool> bar_is_open = false;
bool ends_by_broken_pipe = false;  ///< unless the process inherited that the signal is ignored

std::vector<std::string>& notes() {
  static std::vector<std::string> all;
  return all;
}

void write_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = io::uninterrupted([&] { return ::write(STDERR_FILENO, text.data(), text.size()); });
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void say(std::string_view what, std::string_view message) {
  write_error(fmt::format("{}warpfold: {}: {}\n", bar_is_open.exchange(false) ? "\n" : "", what, one_line(message)));
}

[[noreturn]] void fail_output() {
  end_if_reader_left(errno);
  throw Error(ErrorKind::input, output_failure(std::strerror(errno != 0 ? errno : EIO)));
}

}  // namespace

void open_standard_files() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Opened with the wrong access mode, so that a program that reads or writes it gets an error.
    if (::fcntl(number, F_GETFD) < 0) static_cast<void>(::open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY));
  }
  ends_by_broken_pipe = std::signal(SIGPIPE, SIG_IGN) == SIG_DFL;
  std::signal(SIGXFSZ, SIG_IGN);
}

void end_if_reader_left(int error) {
  if (error != EPIPE || !ends_by_broken_pipe) return;
  io::discard_unfinished_files();
  std::signal(SIGPIPE, SIG_DFL);
  static_cast<void>(std::raise(SIGPIPE));
}

void say_error(std::string_view message) { say("error", message); }

void add_note(const std::string& message) {
  if (std::ranges::find(notes(), message) == notes().end()) notes().push_back(message);
}

void say_notes() {
  for (const std::string& note : notes()) say("note", note);
}

void draw_progress(const Progress& progress, double seconds) {
  const double fraction = progress.total > 0 ? progress.done / progress.total : 0;
  if (seconds < 1 || fraction <= 0 || (fraction >= 1 && !bar_is_open)) return;
  constexpr int width = 30;
  const int filled = static_cast<int>(fraction * width);
  bar_is_open = fraction < 1;
  write_error(fmt::format(
      "\r[{:<{}}] {:5.1f} %  {:.3g} G/s  {:.0f} s left {}", std::string(static_cast<std::size_t>(filled), '#'), width,
      100 * fraction, progress.done / seconds * 1e-9, seconds * (1 - fraction) / fraction, fraction < 1 ? "" : "\n"));
}

std::string output_failure(std::string_view reason) {
  return fmt::format("standard output: cannot be written: {}", reason);
}

void write_output(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size()) fail_output();
}

void flush_output() {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.good()) fail_output();
}

}  // namespace warpfold::app
