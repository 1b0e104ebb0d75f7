// Preloaded into a program, it makes one of its system calls fail. The environment says which:
//
//     FAULT=write:2:ENOSPC    the second write fails with this error, one of `reasons`
//     FAULT=write:2:short     it transfers only one byte, as a write or read may
//     FAULT=write:2:kill      the process is killed before it
//     FAULT=none              no call fails; any other word ends the process
//     FAULT_CALLS=FILE        writes the number of calls of each kind at the end of the process, in lines `NAME COUNT`
//
// A name stands for all calls of a kind: `stat` for fstat and lstat, `opendir` for every call that opens a folder,
// `output` for writes to standard output, `clock` for every call that reads the time of day.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

enum Call {
  call_open,
  call_read,
  call_write,
  call_fsync,
  call_close,
  call_rename,
  call_fallocate,
  call_truncate,
  call_pread,
  call_pwrite,
  call_fdatasync,
  call_mkdir,
  call_flock,
  call_opendir,
  call_stat,
  call_unlink,
  call_lseek,
  call_fchmod,
  call_fchown,
  call_access,
  call_readlink,
  call_dup,
  call_output,
  call_clock,
  calls
};
constexpr const char* names[calls] = {"open",      "read",     "write",    "fsync",  "close",     "rename",
                                      "fallocate", "truncate", "pread",    "pwrite", "fdatasync", "mkdir",
                                      "flock",     "opendir",  "stat",     "unlink", "lseek",     "fchmod",
                                      "fchown",    "access",   "readlink", "dup",    "output",    "clock"};

constexpr struct {
  const char* name;
  int number;
} reasons[] = {{"EIO", EIO},       {"EINTR", EINTR},   {"ENOSPC", ENOSPC},
               {"EDQUOT", EDQUOT}, {"EMFILE", EMFILE}, {"EACCES", EACCES}};

enum class Fault { none, error, one_byte, kill };

[[noreturn]] void refuse(const char* word) {
  std::fprintf(stderr, "faults: '%s' is not known\n", word);
  std::abort();
}

/// The request in the environment, and the counts.
struct Plan {
  int call = calls;
  int number = 0;
  Fault fault = Fault::none;
  int reason = 0;
  std::atomic<int> made[calls] = {};

  Plan() {
    const char* asked = std::getenv("FAULT");
    if (!asked || std::strcmp(asked, "none") == 0) return;
    char name[16] = "", what[16] = "";
    int end = 0;
    const int words = std::sscanf(asked, "%15[a-z]:%d:%15[A-Za-z]%n", name, &number, what, &end);
    if (words != 3 || asked[end] != '\0' || number < 1) refuse(asked);
    call = static_cast<int>(std::find_if(names, names + calls, [&](auto* n) { return std::strcmp(n, name) == 0; }) -
                            names);
    if (call == calls) refuse(name);
    fault = fault_of(what);
  }
  ~Plan() {
    const char* path = std::getenv("FAULT_CALLS");
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    for (int k = 0; file && k < calls; ++k) std::fprintf(file, "%s %d\n", names[k], made[k].load());
    if (file) std::fclose(file);
  }

  Fault meet(Call now) {
    if (++made[now] != number || now != call) return Fault::none;
    if (fault == Fault::kill) std::raise(SIGKILL);
    errno = reason;
    return fault;
  }

 private:
  Fault fault_of(const char* what) {
    if (std::strcmp(what, "kill") == 0) return Fault::kill;
    if (std::strcmp(what, "short") == 0) return Fault::one_byte;
    for (const auto& [name, known] : reasons) {
      if (std::strcmp(name, what) == 0) reason = known;
    }
    if (reason == 0) refuse(what);
    return Fault::error;
  }
};

Plan& plan() {
  static Plan the_plan;
  return the_plan;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

size_t moved(Fault fault, size_t size) { return fault == Fault::one_byte ? std::min<size_t>(size, 1) : size; }

/// Whether it is a file that the command line opened, not a standard file.
bool is_own(int file) { return file > 2; }

/// The standard library's own writes to standard output cannot be intercepted. They go through this function instead.
ssize_t write_output(void*, const char* from, size_t size) {
  if (plan().meet(call_output) == Fault::error) return 0;
  for (size_t done = 0; done < size;) {
    const ssize_t written = write(STDOUT_FILENO, from + done, size - done);
    if (written <= 0) return 0;
    done += static_cast<size_t>(written);
  }
  return static_cast<ssize_t>(size);
}

[[gnu::constructor]] void meet_output() {
  plan();  // which may refuse
  std::FILE* met =
      fopencookie(nullptr, "w", {.read = nullptr, .write = write_output, .seek = nullptr, .close = nullptr});
  if (met) stdout = met;
}

/// The mode argument of open, which exists only if a file may be created.
mode_t mode_of(int flags, va_list& arguments) { return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0; }

template <class Status>
int stat_by(const char* name, const char* path, Status* status) {
  auto* const system_stat = next<int(const char*, Status*)>(name);
  return plan().meet(call_stat) == Fault::error ? -1 : system_stat(path, status);
}

}  // namespace

extern "C" {

ssize_t read(int file, void* to, size_t size) {
  static auto* const system_read = next<ssize_t(int, void*, size_t)>("read");
  const Fault fault = plan().meet(call_read);
  return fault == Fault::error ? -1 : system_read(file, to, moved(fault, size));
}

ssize_t write(int file, const void* from, size_t size) {
  static auto* const system_write = next<ssize_t(int, const void*, size_t)>("write");
  const Fault fault = is_own(file) ? plan().meet(call_write) : Fault::none;
  return fault == Fault::error ? -1 : system_write(file, from, moved(fault, size));
}

int open(const char* path, int flags, ...) {
  static auto* const system_open = next<int(const char*, int, mode_t)>("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return plan().meet(call_open) == Fault::error ? -1 : system_open(path, flags, mode);
}

int __open_2(const char* path, int flags) {  // open() with two arguments, in builds with additional checks
  static auto* const system_open = next<int(const char*, int)>("__open_2");
  return plan().meet(call_open) == Fault::error ? -1 : system_open(path, flags);
}

int openat(int folder, const char* path, int flags, ...) {  // libstdc++ opens folders with it
  static auto* const system_openat = next<int(int, const char*, int, mode_t)>("openat");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  const Call call = (flags & O_DIRECTORY) != 0 ? call_opendir : call_open;
  return plan().meet(call) == Fault::error ? -1 : system_openat(folder, path, flags, mode);
}

DIR* opendir(const char* path) {
  static auto* const system_opendir = next<DIR*(const char*)>("opendir");
  return plan().meet(call_opendir) == Fault::error ? nullptr : system_opendir(path);
}

int stat(const char* path, struct stat* status) noexcept { return stat_by("stat", path, status); }
int lstat(const char* path, struct stat* status) noexcept { return stat_by("lstat", path, status); }
int fstat(int file, struct stat* status) noexcept {
  static auto* const system_fstat = next<int(int, struct stat*)>("fstat");
  return plan().meet(call_stat) == Fault::error ? -1 : system_fstat(file, status);
}

int unlink(const char* path) noexcept {
  static auto* const system_unlink = next<int(const char*)>("unlink");
  return plan().meet(call_unlink) == Fault::error ? -1 : system_unlink(path);
}

int remove(const char* path) noexcept {
  static auto* const system_remove = next<int(const char*)>("remove");
  return plan().meet(call_unlink) == Fault::error ? -1 : system_remove(path);
}

off_t lseek(int file, off_t to, int from) noexcept {
  static auto* const system_lseek = next<off_t(int, off_t, int)>("lseek");
  return plan().meet(call_lseek) == Fault::error ? -1 : system_lseek(file, to, from);
}

int fchmod(int file, mode_t mode) noexcept {
  static auto* const system_fchmod = next<int(int, mode_t)>("fchmod");
  return plan().meet(call_fchmod) == Fault::error ? -1 : system_fchmod(file, mode);
}

int fchown(int file, uid_t user, gid_t group) noexcept {
  static auto* const system_fchown = next<int(int, uid_t, gid_t)>("fchown");
  return plan().meet(call_fchown) == Fault::error ? -1 : system_fchown(file, user, group);
}

int access(const char* path, int how) noexcept {
  static auto* const system_access = next<int(const char*, int)>("access");
  return plan().meet(call_access) == Fault::error ? -1 : system_access(path, how);
}

ssize_t readlink(const char* path, char* to, size_t size) noexcept {
  static auto* const system_readlink = next<ssize_t(const char*, char*, size_t)>("readlink");
  return plan().meet(call_readlink) == Fault::error ? -1 : system_readlink(path, to, size);
}

int dup(int file) noexcept {
  static auto* const system_dup = next<int(int)>("dup");
  return plan().meet(call_dup) == Fault::error ? -1 : system_dup(file);
}

int fsync(int file) {
  static auto* const system_fsync = next<int(int)>("fsync");
  return plan().meet(call_fsync) == Fault::error ? -1 : system_fsync(file);
}

int close(int file) {  // it closes the file even if it fails
  static auto* const system_close = next<int(int)>("close");
  const bool fails = is_own(file) && plan().meet(call_close) == Fault::error;
  const int number = errno;
  const int closed = system_close(file);
  if (fails) errno = number;
  return fails ? -1 : closed;
}

int rename(const char* from, const char* to) {
  static auto* const system_rename = next<int(const char*, const char*)>("rename");
  return plan().meet(call_rename) == Fault::error ? -1 : system_rename(from, to);
}

ssize_t pread(int file, void* to, size_t size, off_t from) {
  static auto* const system_pread = next<ssize_t(int, void*, size_t, off_t)>("pread");
  const Fault fault = plan().meet(call_pread);
  return fault == Fault::error ? -1 : system_pread(file, to, moved(fault, size), from);
}

ssize_t pwrite(int file, const void* from, size_t size, off_t to) {
  static auto* const system_pwrite = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  const Fault fault = plan().meet(call_pwrite);
  return fault == Fault::error ? -1 : system_pwrite(file, from, moved(fault, size), to);
}

int fdatasync(int file) {
  static auto* const system_fdatasync = next<int(int)>("fdatasync");
  return plan().meet(call_fdatasync) == Fault::error ? -1 : system_fdatasync(file);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const system_mkdir = next<int(const char*, mode_t)>("mkdir");
  return plan().meet(call_mkdir) == Fault::error ? -1 : system_mkdir(path, mode);
}

int flock(int file, int operation) noexcept {
  static auto* const system_flock = next<int(int, int)>("flock");
  return plan().meet(call_flock) == Fault::error ? -1 : system_flock(file, operation);
}

int posix_fallocate(int file, off_t from, off_t size) {  // it may have allocated some of the space even if it fails
  static auto* const system_fallocate = next<int(int, off_t, off_t)>("posix_fallocate");
  const bool fails = plan().meet(call_fallocate) == Fault::error;
  const int number = errno;
  const int result = system_fallocate(file, from, fails ? (size + 1) / 2 : size);
  return fails ? number : result;
}

int ftruncate(int file, off_t size) noexcept {
  static auto* const system_truncate = next<int(int, off_t)>("ftruncate");
  return plan().meet(call_truncate) == Fault::error ? -1 : system_truncate(file, size);
}

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  static auto* const system_gettime = next<int(clockid_t, timespec*)>("clock_gettime");
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) plan().meet(call_clock);
  return system_gettime(clock, now);
}

int gettimeofday(timeval* now, void* zone) noexcept {
  static auto* const system_gettimeofday = next<int(timeval*, void*)>("gettimeofday");
  plan().meet(call_clock);
  return system_gettimeofday(now, zone);
}

time_t time(time_t* now) noexcept {
  static auto* const system_time = next<time_t(time_t*)>("time");
  plan().meet(call_clock);
  return system_time(now);
}
}
