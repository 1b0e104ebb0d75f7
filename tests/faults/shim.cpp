// Preloaded into a program, makes one of its calls to the system fail. The environment says which:
//
//     FAULT=write:2:ENOSPC    the second write fails so; EIO, EINTR, ENOSPC, EDQUOT
//     FAULT=write:2:short     it moves one byte alone, as a write or read may
//     FAULT=write:2:kill      the process is killed before it
//     FAULT_CALLS=FILE        how often each call was made, a line `NAME COUNT` each, at the end of the process;
//                             `clock`: how often the time of day was asked for
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
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
  call_clock,
  calls
};
constexpr const char* names[calls] = {"open",     "read",  "write",  "fsync",     "close", "rename", "fallocate",
                                      "truncate", "pread", "pwrite", "fdatasync", "mkdir", "flock",  "clock"};

enum class Fault { none, error, one_byte };

/// What the environment asks for, and what was counted.
struct Plan {
  int call = calls;
  int number = 0;
  char what[16] = "";
  int made[calls] = {};

  Plan() {
    const char* fault = std::getenv("FAULT");
    char name[16] = "";
    if (!fault || std::sscanf(fault, "%15[a-z]:%d:%15s", name, &number, what) != 3) return;
    call = static_cast<int>(std::find_if(names, names + calls, [&](auto* n) { return std::strcmp(n, name) == 0; }) -
                            names);
  }
  ~Plan() {
    const char* path = std::getenv("FAULT_CALLS");
    std::FILE* file = path ? std::fopen(path, "w") : nullptr;
    for (int k = 0; file && k < calls; ++k) std::fprintf(file, "%s %d\n", names[k], made[k]);
    if (file) std::fclose(file);
  }

  Fault meet(Call now) {
    if (++made[now] != number || now != call) return Fault::none;
    if (std::strcmp(what, "kill") == 0) std::raise(SIGKILL);
    if (std::strcmp(what, "short") == 0) return Fault::one_byte;
    errno = std::strcmp(what, "ENOSPC") == 0 ? ENOSPC : std::strcmp(what, "EINTR") == 0 ? EINTR : EIO;
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

/// Whether the number says a file of the command line's own, not one of the three that it was given.
bool is_own(int file) { return file > 2; }

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
  return plan().meet(call_open) == Fault::error ? -1 : system_open(path, flags, 0666);
}

int fsync(int file) {
  static auto* const system_fsync = next<int(int)>("fsync");
  return plan().meet(call_fsync) == Fault::error ? -1 : system_fsync(file);
}

int close(int file) {  // which closes the file even where it fails
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

int posix_fallocate(int file, off_t from, off_t size) {
  static auto* const system_fallocate = next<int(int, off_t, off_t)>("posix_fallocate");
  return plan().meet(call_fallocate) == Fault::error ? errno : system_fallocate(file, from, size);
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
