#pragma once

#include <string>
#include <string_view>

#include "warpfold/run/run.hpp"

/// What the process says on its standard output and error besides results. Nothing here fails because nobody can read
/// it: standard error may be full or closed.
namespace warpfold::app {

/// Keeps the three standard files open, so that no other file takes a closed one's number and gets its text; makes a
/// closed pipe and a file that may not grow errors of writing, which leave no unfinished file.
void open_standard_files();

/// "warpfold: error: MESSAGE", in one line, below the progress bar if there is one.
void say_error(std::string_view message);

/// "warpfold: note: MESSAGE" likewise, by `say_notes` where the run ends well: one that fails says one line.
void add_note(const std::string& message);
void say_notes();

/// A bar with rate and remaining time, over the last one. From one thread.
void draw_progress(const Progress& progress, double seconds);

/// The line for standard output that could not be written, for that reason.
[[nodiscard]] std::string output_failure(std::string_view reason);

/// Prints a text. Raises Error{input} where it does not arrive.
void write_output(std::string_view text);

/// Raises Error{input} where something that was printed did not arrive.
void flush_output();

}  // namespace warpfold::app
