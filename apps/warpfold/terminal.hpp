#pragma once

#include <string>
#include <string_view>

#include "warpfold/run/run.hpp"

/// Messages and output of the process. Nothing here fails if standard error is full or closed.
namespace warpfold::app {

/// Opens /dev/null for standard files that are closed, so that no other file gets their numbers and their text. Makes a
/// closed pipe and the file-size limit write errors, so that no unfinished file is left.
void open_standard_files();

/// Ends the process silently by SIGPIPE, as other programs end, if an error of writing standard output is that its
/// reader has closed the pipe. Not if the process was started with this signal ignored.
void end_if_reader_left(int error);

/// Prints "warpfold: error: MESSAGE" on one line, below the progress bar if there is one.
void say_error(std::string_view message);

/// Adds "warpfold: note: MESSAGE", once. `say_notes` prints the notes when the run ends well. A run that fails prints
/// its error only.
void add_note(const std::string& message);
void say_notes();

/// Draws a bar with rate and remaining time over the previous one. Call it from one thread.
void draw_progress(const Progress& progress, double seconds);

/// The error line if standard output cannot be written, with the reason.
[[nodiscard]] std::string output_failure(std::string_view reason);

/// Prints a text. Raises Error{input} if it cannot be written.
void write_output(std::string_view text);

/// Raises Error{input} if some printed text could not be written.
void flush_output();

}  // namespace warpfold::app
