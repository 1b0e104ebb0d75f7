#include "checkpoint/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "io/uninterrupted.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::checkpoint {

namespace {

/// The first words of a list. A machine of the other byte order reads them as different numbers.
constexpr std::uint64_t magic = 0x63686b2d70667277;  // "wrfp-khc"
constexpr std::uint64_t version = 1;
constexpr std::size_t header_words = 6;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", path, what));
}

[[noreturn]] void fail_to(const char* action, const std::string& path) {
  fail(path, fmt::format("cannot be {}: {}", action, std::strerror(errno)));
}

std::string list_path(const std::string& folder, int rank) {
  return (std::filesystem::path(folder) / (rank == 0 ? "list" : fmt::format("list.{}", rank))).string();
}

/// The lists in the folder, of any run.
std::vector<std::string> list_paths(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code failure;
  std::filesystem::directory_iterator entry;
  const auto open = [&] {
    entry = std::filesystem::directory_iterator(folder, failure);
    return io::as_result(failure);
  };
  for (io::uninterrupted(open); entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    const bool is_other = name.starts_with("list.") && name.find_first_not_of("0123456789", 5) == std::string::npos;
    if (name == "list" || (is_other && name.size() > 5)) found.push_back(entry->path().string());
  }
  const bool is_none = failure == std::errc::no_such_file_or_directory || failure == std::errc::not_a_directory;
  if (failure && !is_none)
    fail(folder, "cannot be listed: " + failure.message());  // otherwise a list would be overwritten
  std::sort(found.begin(), found.end());
  return found;
}

std::string tiles_path(const std::string& folder) { return (std::filesystem::path(folder) / "tiles").string(); }

std::uint64_t checksum(std::span<const std::uint64_t> words) { return XXH3_64bits(words.data(), words.size_bytes()); }

std::uint64_t word_of(const std::string& type) {
  std::uint64_t word = 0;
  std::memcpy(&word, type.data(), std::min(type.size(), sizeof word));
  return word;
}

std::string type_of(std::uint64_t word) {
  char text[sizeof word + 1] = {};
  std::memcpy(text, &word, sizeof word);
  return text;
}

/// Calls transfer(bytes, offset), which moves some bytes, until all pieces are moved. Returns false if a call moves
/// none.
template <class Transfer>
bool transfer_all(const Pieces& pieces, std::size_t offset, const Transfer& transfer) {
  for (std::span<std::byte> piece : pieces) {
    while (!piece.empty()) {
      const ssize_t moved = io::uninterrupted([&] { return transfer(piece, static_cast<off_t>(offset)); });
      if (moved <= 0) return false;
      piece = piece.subspan(static_cast<std::size_t>(moved));
      offset += static_cast<std::size_t>(moved);
    }
  }
  return true;
}

}  // namespace

std::uint64_t checksum(const Pieces& pieces) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  for (const std::span<std::byte> piece : pieces) XXH3_64bits_update(state.get(), piece.data(), piece.size());
  return std::max<std::uint64_t>(XXH3_64bits_digest(state.get()), 1);
}

List::List(std::string folder, Header header, std::size_t super_tiles, int rank)
    : checksums(super_tiles), folder_(std::move(folder)), path_(list_path(folder_, rank)), header_(std::move(header)) {}

std::vector<std::uint64_t> List::words() const {
  std::vector<std::uint64_t> all = {magic,        version, header_.problem, header_.points, word_of(header_.type),
                                    header_.group};
  all.insert(all.end(), checksums.begin(), checksums.end());
  all.push_back(checksum(std::span<const std::uint64_t>(all)));
  return all;
}

void List::write() const {
  const std::vector<std::uint64_t> all = words();
  const auto bytes = std::as_bytes(std::span(all));
  io::write_file(path_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void List::remove_others() const {
  for (const std::string& path : list_paths(folder_)) {
    std::error_code failure;
    if (path != path_) std::filesystem::remove(path, failure);
    if (failure) fail(path, "cannot be removed: " + failure.message());
  }
}

void List::read() {
  for (const std::string& path : list_paths(folder_)) read(path);
}

void List::read(const std::string& path) {
  const std::string content = io::read_file(path);
  std::vector<std::uint64_t> found(content.size() / sizeof(std::uint64_t));
  std::copy_n(content.data(), found.size() * sizeof(std::uint64_t), reinterpret_cast<char*>(found.data()));
  if (found.size() < 2 || found[0] != magic || found[1] != version) {
    fail(path, "is no list of a checkpoint, or one of another version or kind of machine: begin again in a new folder");
  }
  if (content.size() % sizeof(std::uint64_t) != 0 || found.size() <= header_words ||
      checksum(std::span(found).first(found.size() - 1)) != found.back()) {
    fail(path, "is damaged or cut off");
  }
  if (found[4] != word_of(header_.type)) {
    fail(folder_, fmt::format("the checkpoint is of {}, the solve of {}", type_of(found[4]), header_.type));
  }
  if (found[3] != header_.points) {
    fail(folder_, fmt::format("the checkpoint is of {} {}, the solve of {}", found[3], header_.unit, header_.points));
  }
  if (found[2] != header_.problem) {
    fail(folder_, "the checkpoint is of another problem: its input, or an option that the table depends on, differs");
  }
  if (found[5] != header_.group || found.size() != header_words + checksums.size() + 1) {
    fail(folder_,
         fmt::format("the checkpoint's super-tiles have {} tiles a side, the solve's {}", found[5], header_.group));
  }
  for (std::size_t at = 0; at < checksums.size(); ++at) {
    if (found[header_words + at] != 0) checksums[at] = found[header_words + at];
  }
}

void check_folder(const std::string& folder, bool resumes) {
  const bool has_list = !list_paths(folder).empty();
  if (resumes && !has_list) fail(folder, "holds no checkpoint: a folder that an earlier run has written is accepted");
  if (!resumes && has_list) fail(folder, "holds a checkpoint already: a new or empty folder is accepted");
  std::error_code failure;
  const std::uintmax_t bytes = std::filesystem::file_size(tiles_path(folder), failure);
  // A run that was ended before its list was written leaves an empty file.
  if (!resumes && !failure && bytes > 0)
    fail(folder, "holds a file 'tiles' that it does not list: a new or empty folder is accepted");
}

TileFile::TileFile(const std::string& folder, bool first) : path_(tiles_path(folder)) {
  std::error_code failure;
  const auto make = [&] {
    std::filesystem::create_directory(folder, failure);
    return io::as_result(failure);
  };
  if (first && io::uninterrupted(make) != 0) fail(folder, "cannot be made: " + failure.message());
  const int flags = O_RDWR | (first ? O_CREAT : 0) | O_CLOEXEC;
  file_ = io::uninterrupted([&] { return ::open(path_.c_str(), flags, 0666); });
  if (file_ < 0) fail_to("written", path_);
  // The first process takes the lock alone for a moment, so no process of another run holds it. Then it shares the lock
  // with the processes of its own run.
  const auto lock = [this](int kind) { return io::uninterrupted([&] { return ::flock(file_, kind | LOCK_NB); }) == 0; };
  if ((!first || lock(LOCK_EX)) && lock(LOCK_SH)) return;
  const bool used = errno == EWOULDBLOCK;
  ::close(file_);
  if (used) fail(folder, "another run is using the checkpoint");
  fail_to("locked", path_);
}

TileFile::~TileFile() { ::close(file_); }

void TileFile::write(const Pieces& pieces, std::size_t offset) const {
  const auto some = [this](std::span<std::byte> piece, off_t at) {
    return ::pwrite(file_, piece.data(), piece.size(), at);
  };
  if (!transfer_all(pieces, offset, some)) fail_to("written", path_);
  std::size_t bytes = 0;
  for (const std::span<std::byte> piece : pieces) bytes += piece.size();
  // a hint, which may fail
  ::sync_file_range(file_, static_cast<off_t>(offset), static_cast<off_t>(bytes), SYNC_FILE_RANGE_WRITE);
}

bool TileFile::read(const Pieces& pieces, std::size_t offset) const {
  errno = 0;
  const auto some = [this](std::span<std::byte> piece, off_t at) {
    return ::pread(file_, piece.data(), piece.size(), at);
  };
  if (transfer_all(pieces, offset, some)) return true;
  if (errno != 0) fail_to("read", path_);
  return false;
}

void TileFile::synchronize() const {
  if (io::uninterrupted([this] { return ::fdatasync(file_); }) != 0) fail_to("written", path_);
}

}  // namespace warpfold::checkpoint
