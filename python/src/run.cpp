
#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "binding.hpp"
#include "own.hpp"
#include "ranks.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::python {

namespace {

/// The interval at which the caller's thread checks for signals.
constexpr auto between_looks = std::chrono::milliseconds(50);

/// The exceptions of the module. They are made with it, and kept as long as the process.
PyObject* infeasible_error = nullptr;
PyObject* device_error = nullptr;

PyObject* exception_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::input:
      return PyExc_ValueError;
    case ErrorKind::overflow:
      return PyExc_OverflowError;
    case ErrorKind::infeasible:
      return infeasible_error;
    case ErrorKind::time_limit:
      return PyExc_TimeoutError;
    case ErrorKind::memory_limit:
      return PyExc_MemoryError;
    case ErrorKind::device:
      return device_error;
    case ErrorKind::cancelled:
      return PyExc_KeyboardInterrupt;
    case ErrorKind::internal:
      break;
  }
  return PyExc_RuntimeError;
}

}  // namespace

nb::object exception_of(const Error& error) { return nb::borrow(exception_of(error.kind()))(error.what()); }

namespace {

void translate(const std::exception_ptr& raised, void*) {
  try {
    std::rethrow_exception(raised);
  } catch (const WrongKind& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const Error& error) {
    PyErr_SetString(exception_of(error.kind()), error.what());
  }
}

std::chrono::steady_clock::time_point deadline_after(nb::handle value) {
  const double seconds = real("time_limit", value);
  if (!(seconds > 0)) reject_value("time_limit", value, "seconds above 0 are accepted");
  const std::chrono::duration<double> limit(std::min(seconds, 1e9));  // 30 years, which every clock holds
  return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
}

/// "i32", ..; bool is a byte.
std::string dtype_of(nb::handle value) {
  constexpr const char* accepted = "int32, int64, float32 or float64 is accepted";
  nb::object dtype;
  try {
    dtype = nb::module_::import_("numpy").attr("dtype")(value);
  } catch (const nb::python_error&) {
    reject_type("dtype", value, accepted);
  }
  const auto kind = nb::cast<std::string>(dtype.attr("kind"));
  if (kind == "b") return "u8";
  if (kind != "i" && kind != "u" && kind != "f") reject_type("dtype", value, accepted);
  return fmt::format("{}{}", kind, 8 * nb::cast<std::size_t>(dtype.attr("itemsize")));
}

/// A callable, or None. True is a progress bar (_progress.py).
nb::object progress_of(nb::handle value) {
  if (value.is(Py_False)) return nb::none();
  if (value.is(Py_True)) return nb::module_::import_("warpfold._progress").attr("bar")();
  if (PyCallable_Check(value.ptr())) return nb::borrow(value);
  reject_type("progress", value, "a callable that takes (done, total), or True for a bar, is accepted");
}

void read_option(CallOptions& asked, const std::string& name, nb::handle value) {
  Options& options = asked.options;
  if (name == "device") {
    options.device = parse_device(text("device", value, accepted_devices));
  } else if (name == "threads") {
    options.threads = integer<int>("threads", value);
  } else if (name == "algorithm") {
    options.algorithm = text("algorithm", value, "an algorithm's name is accepted");
  } else if (name == "time_limit") {
    options.deadline = deadline_after(value);
  } else if (name == "max_memory") {
    options.max_memory = integer<std::size_t>("max_memory", value);
  } else if (name == "max_device_memory") {
    options.max_device_memory = integer<std::size_t>("max_device_memory", value);
  } else if (name == "dtype") {
    asked.dtype = dtype_of(value);
  } else if (name == "progress") {
    asked.progress = progress_of(value);
  } else {
    throw nb::type_error(("'" + name +
                          "' is no keyword of this function: those in its help, device, threads, dtype, algorithm, "
                          "time_limit, max_memory, max_device_memory and progress are accepted")
                             .c_str());
  }
}

/// The progress of the solve, from its thread to the caller's.
class LatestProgress {
 public:
  void set(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    latest_ = progress;
  }
  [[nodiscard]] std::optional<Progress> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(latest_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<Progress> latest_;
};

/// The solve's thread, and whether it has ended.
class Solving {
 public:
  explicit Solving(std::function<void()> solve)
      : thread_([this, solve = std::move(solve)] {
          try {
            solve();
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          ended_ = true;
          changed_.notify_one();
        }) {}

  [[nodiscard]] bool ends_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return ended_; });
  }
  /// Waits for the end. Returns what the solve raised.
  [[nodiscard]] std::exception_ptr join() {
    thread_.join();
    return failure_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // the last: it begins when all else is there
};

/// Progress without work is complete, because a caller divides by the total.
void tell(const CallOptions& asked, LatestProgress& latest) {
  const auto progress = latest.take();
  if (!progress) return;
  const bool is_any = progress->total > 0;
  asked.progress(is_any ? progress->done : 1, is_any ? progress->total : 1);
}

/// Handles signals and progress, with the GIL. Returns what Python raises.
std::exception_ptr look_around(const CallOptions& asked, LatestProgress& latest) {
  try {
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    tell(asked, latest);
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

// The end of the interpreter.

namespace {

std::atomic<bool> python_ends{false};
std::atomic<int> without_gil{0};  // threads in a GilReleased
std::atomic<int> taking_gil{0};   // those of them that wait for it
std::thread::id ending_thread;

/// Runs before Python destroys its state. Ends the solves of daemon threads, whose memory is freed, and lets none
/// return.
void end_solves() {
  ending_thread = std::this_thread::get_id();
  python_ends = true;
  constexpr auto patience = std::chrono::seconds(5);  // with a caller's function that hears no stop
  const auto until = std::chrono::steady_clock::now() + patience;
  const nb::gil_scoped_release released;
  const auto is_any_left = [] { return taking_gil > 0 || without_gil > 0; };
  while (is_any_left() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Whether this thread is not the one in which Python ends.
bool is_left_behind() { return python_ends && std::this_thread::get_id() != ending_thread; }

}  // namespace

GilReleased::GilReleased() {
  ++without_gil;
  release();
}

GilReleased::~GilReleased() {
  const bool is_back = take_back();
  --without_gil;
  while (!is_back) std::this_thread::sleep_for(std::chrono::hours(1));
}

void GilReleased::release() { state_ = PyEval_SaveThread(); }

bool GilReleased::take_back() {
  ++taking_gil;
  const bool may = !is_left_behind();
  if (may) PyEval_RestoreThread(state_);
  --taking_gil;
  return may;
}

CallOptions asked(const nb::kwargs& words) {
  CallOptions result{{}, "", nb::none()};
  for (const auto& [name, value] : words) {
    if (!value.is_none()) read_option(result, nb::cast<std::string>(name), value);
  }
  return result;
}

CallOptions asked_of_check(const nb::kwargs& words) {
  CallOptions result = asked(words);
  if (!result.options.algorithm.empty()) {
    throw nb::type_error(("algorithm is '" + result.options.algorithm + "': a check has no choice of it").c_str());
  }
  return result;
}

void reject_dtype(const CallOptions& asked, const char* why) {
  if (!asked.dtype.empty()) throw nb::type_error((std::string("dtype is not accepted here: ") + why).c_str());
}

namespace {

void replace_all(std::string& text, std::string_view word, std::string_view meaning) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += meaning.size()) {
    text.replace(at, word.size(), meaning);
  }
}

}  // namespace

nb::sig signature(const std::string& text) {
  static const std::string words =
      "device: str = 'auto', threads: int = 0, dtype: numpy.typing.DTypeLike | None = None, algorithm: str = '', "
      "time_limit: float | None = None, max_memory: int | None = None, max_device_memory: int | None = None, "
      "progress: collections.abc.Callable[[float, float], object] | bool | None = None";
  static std::string kept;  // until nanobind has copied it
  kept = "def " + text;
  replace_all(kept, "OPTIONS", words);
  replace_all(kept, "AMOUNTS", "numpy.typing.ArrayLike | collections.abc.Sequence[AMOUNT]");
  replace_all(kept, "AMOUNT", "float | decimal.Decimal | fractions.Fraction");
  return nb::sig(kept.c_str());
}

void run_watched(const CallOptions& asked, const std::function<void(const Options&)>& solve) {
  LatestProgress latest;
  std::stop_source stop;
  Options options = asked.options;
  options.stop = stop.get_token();
  if (!asked.progress.is_none()) options.progress = [&latest](const Progress& progress) { latest.set(progress); };
  std::exception_ptr raised;
  {
    GilReleased released;
    Solving solving([&] { solve(options); });
    while (!solving.ends_within(between_looks)) {
      if (is_left_behind()) stop.request_stop();
      if (raised || stop.stop_requested()) continue;
      raised = released.with_gil([&] { return look_around(asked, latest); });
      if (raised) stop.request_stop();
    }
    const std::exception_ptr failure = solving.join();
    if (!raised) raised = failure;
  }
  if (raised) std::rethrow_exception(raised);
  tell(asked, latest);
}

namespace {

void bind_errors(nb::module_& module) {
  const std::string prefix = nb::cast<std::string>(module.attr("__name__")) + ".";
  infeasible_error = PyErr_NewExceptionWithDoc((prefix + "InfeasibleError").c_str(), "The problem has no solution.",
                                               PyExc_ValueError, nullptr);
  device_error = PyErr_NewExceptionWithDoc(
      (prefix + "DeviceError").c_str(), "The requested device is unavailable, or failed.", PyExc_RuntimeError, nullptr);
  module.attr("InfeasibleError") = nb::borrow(infeasible_error);
  module.attr("DeviceError") = nb::borrow(device_error);
  nb::register_exception_translator(translate);
}

void bind_report(nb::module_& module) {
  nb::class_<Report>(module, "Report", "The report of a run. Times are wall-clock seconds.")
      .def_ro("device", &Report::device, "\"cpu\", \"cuda:N\" for one GPU, or \"cuda:N,M\" for several")
      .def_ro("algorithm", &Report::algorithm, "name of the algorithm that ran")
      .def_ro("threads", &Report::threads, "number of CPU threads that ran")
      .def_ro("prepare_seconds", &Report::prepare_seconds)
      .def_ro("solve_seconds", &Report::solve_seconds)
      .def_ro("traceback_seconds", &Report::traceback_seconds)
      .def_ro("peak_bytes", &Report::peak_bytes, "largest host memory in use, without the caller's data")
      .def_ro("peak_device_bytes", &Report::peak_device_bytes, "largest memory in use on a GPU")
      .def_ro("fallback_reason", &Report::fallback_reason,
              "the GPU that device='auto' did not use, and why; else empty")
      .def("__repr__", [](const Report& report) {
        return fmt::format("Report(device='{}', algorithm='{}', threads={}, solve_seconds={:.3g})", report.device,
                           report.algorithm, report.threads, report.solve_seconds);
      });
}

void bind_verdict(nb::module_& module) {
  nb::class_<Verdict>(module, "Verdict", "The result of a check; true if no violation was found.")
      .def_ro("violation", &Verdict::violation, "the first violation, in one line, or None")
      .def_ro("is_feasible", &Verdict::is_feasible, "False if it is no solution of this problem")
      .def_ro("is_optimal", &Verdict::is_optimal,
              "True if the check computed every value, so that no solution is better")
      .def_ro("unchecked", &Verdict::unchecked, "what was not checked because it takes too long, or empty")
      .def("__bool__", [](const Verdict& verdict) { return !verdict.violation; })
      .def("__repr__", [](const Verdict& verdict) {
        return verdict.violation ? fmt::format("Verdict(violation='{}')", *verdict.violation) : "Verdict(no violation)";
      });
}

void bind_devices(nb::module_& module) {
  nb::class_<GpuInfo>(module, "Gpu", "A GPU that this process can use.")
      .def_ro("index", &GpuInfo::index, "N of \"cuda:N\"")
      .def_ro("name", &GpuInfo::name)
      .def_ro("compute_capability", &GpuInfo::compute_capability)
      .def_ro("memory_bytes", &GpuInfo::memory_bytes)
      .def("__repr__", [](const GpuInfo& gpu) { return "Gpu(" + std::to_string(gpu.index) + ", '" + gpu.name + "')"; });
  module.def(
      "gpus",
      [] {
        nb::list list;
        for (const GpuInfo& gpu : gpus()) list.append(gpu);
        return list;
      },
      nb::sig("def gpus() -> list[Gpu]"), "The available GPUs; none in a build without CUDA, or without a driver.");
  module.def("has_cuda", &has_cuda, "Whether this build has CUDA backends.");
  module.def("has_mpi", &has_mpi, "Whether this build can solve by the ranks of an MPI job (warpfold.mpi).");
  module.attr("version") = std::string(version);
}

}  // namespace

namespace {

void bind_end(nb::module_& module) {
  module.def("end_solves", &end_solves, "Ends all solves. Python calls it at exit.");
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) return;  // whose end is not the process's
  nb::module_::import_("atexit").attr("register")(module.attr("end_solves"));
  pthread_atfork(nullptr, nullptr, [] { without_gil = taking_gil = 0; });  // the child has one thread
}

}  // namespace

void bind_run(nb::module_& module) {
  bind_end(module);
  bind_errors(module);
  bind_report(module);
  bind_verdict(module);
  bind_devices(module);
}

}  // namespace warpfold::python
