// Counts by CUPTI's range profiler: each kernel is a range, and is repeated for as many passes as the counters need.
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdint>
#include <utility>

#include "counters.hpp"
#include "warpfold/core/error.hpp"

#if __has_include(<cupti_range_profiler.h>)
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

namespace warpfold::bench {

namespace {

constexpr std::size_t most_kernels = 1024;

[[noreturn]] void reject(const std::string& reason) {
  throw Error(ErrorKind::device, "kernels are not counted: " + reason);
}

/// Parameters of a call; each says its size.
template <class Parameters>
Parameters sized(std::size_t size) {
  Parameters parameters{};
  parameters.structSize = size;
  return parameters;
}

/// A library that is loaded at run time.
class Library {
 public:
  explicit Library(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (handle_ == nullptr) handle_ = dlopen(name.c_str(), RTLD_NOW);
    }
    if (handle_ == nullptr) reject(names.front() + " is not found");
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <class Function>
  [[nodiscard]] Function* symbol(const char* name) const {
    void* const found = dlsym(handle_, name);
    if (found == nullptr) reject(std::string("the library has no ") + name);
    return reinterpret_cast<Function*>(found);
  }

  /// Calls a function of CUPTI.
  template <class Parameters>
  void call(const char* name, Parameters& parameters) const {
    const CUptiResult result = symbol<CUptiResult(Parameters*)>(name)(&parameters);
    if (result == CUPTI_SUCCESS) return;
    const char* text = "";
    symbol<decltype(cuptiGetResultString)>("cuptiGetResultString")(result, &text);
    reject(std::string(name) + ": " + text);
  }

 private:
  void* handle_ = nullptr;  // never closed, because CUPTI's threads may outlive this object
};

CUcontext present_context() {
  CUcontext context = nullptr;
  cudaFree(nullptr);
  Library({"libcuda.so.1"}).symbol<decltype(cuCtxGetCurrent)>("cuCtxGetCurrent")(&context);
  return context;
}

/// Which counters a GPU takes in which pass, and their values.
class Host {
 public:
  Host(const Library& cupti, CUcontext context, const std::vector<std::string>& counters) : cupti_(cupti) {
    for (const std::string& counter : counters) names_.push_back(counter.c_str());
    auto start = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    cupti_.call("cuptiProfilerInitialize", start);
    auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    cupti_.call("cuptiDeviceGetChipName", chip);
    auto available =
        sized<CUpti_Profiler_GetCounterAvailability_Params>(CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
    available.ctx = context;
    cupti_.call("cuptiProfilerGetCounterAvailability", available);
    std::vector<std::uint8_t> image(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = image.data();
    cupti_.call("cuptiProfilerGetCounterAvailability", available);
    auto host = sized<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    host.pChipName = chip.pChipName;
    host.pCounterAvailabilityImage = image.data();
    cupti_.call("cuptiProfilerHostInitialize", host);
    object_ = host.pHostObject;
  }
  ~Host() {
    auto end = sized<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    end.pHostObject = object_;
    cupti_.symbol<CUptiResult(CUpti_Profiler_Host_Deinitialize_Params*)>("cuptiProfilerHostDeinitialize")(&end);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  [[nodiscard]] std::vector<std::uint8_t> configuration() {
    auto add =
        sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    add.pHostObject = object_;
    add.ppMetricNames = names_.data();
    add.numMetrics = names_.size();
    cupti_.call("cuptiProfilerHostConfigAddMetrics", add);
    auto size =
        sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    size.pHostObject = object_;
    cupti_.call("cuptiProfilerHostGetConfigImageSize", size);
    std::vector<std::uint8_t> image(size.configImageSize);
    auto get = sized<CUpti_Profiler_Host_GetConfigImage_Params>(CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    get.pHostObject = object_;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    cupti_.call("cuptiProfilerHostGetConfigImage", get);
    return image;
  }

  [[nodiscard]] machine::KernelCounters values(const std::vector<std::uint8_t>& data, std::size_t range) {
    std::vector<double> values(names_.size());
    auto get = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
        CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
    get.pHostObject = object_;
    get.pCounterDataImage = data.data();
    get.counterDataImageSize = data.size();
    get.rangeIndex = range;
    get.ppMetricNames = names_.data();
    get.numMetrics = names_.size();
    get.pMetricValues = values.data();
    cupti_.call("cuptiProfilerHostEvaluateToGpuValues", get);
    machine::KernelCounters result;
    for (std::size_t i = 0; i < values.size(); ++i) result[names_[i]] = values[i];
    return result;
  }

  [[nodiscard]] std::vector<const char*>& names() { return names_; }

 private:
  const Library& cupti_;
  std::vector<const char*> names_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

/// The profiler of a context, which counts from `start` to `stop`.
class RangeProfiler {
 public:
  RangeProfiler(const Library& cupti, CUcontext context) : cupti_(cupti) {
    auto enable = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
    enable.ctx = context;
    cupti_.call("cuptiRangeProfilerEnable", enable);
    object_ = enable.pRangeProfilerObject;
  }
  ~RangeProfiler() {
    auto end = sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
    end.pRangeProfilerObject = object_;
    cupti_.symbol<CUptiResult(CUpti_RangeProfiler_Disable_Params*)>("cuptiRangeProfilerDisable")(&end);
  }
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  void start(std::vector<const char*>& names, const std::vector<std::uint8_t>& configuration) {
    auto size =
        sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
    size.pRangeProfilerObject = object_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = most_kernels;
    size.maxNumRangeTreeNodes = most_kernels;
    cupti_.call("cuptiRangeProfilerGetCounterDataSize", size);
    data_.resize(size.counterDataSize);
    auto clear = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
    clear.pRangeProfilerObject = object_;
    clear.counterDataSize = data_.size();
    clear.pCounterData = data_.data();
    cupti_.call("cuptiRangeProfilerCounterDataImageInitialize", clear);
    auto set = sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
    set.pRangeProfilerObject = object_;
    set.configSize = configuration.size();
    set.pConfig = configuration.data();
    set.counterDataImageSize = data_.size();
    set.pCounterDataImage = data_.data();
    set.range = CUPTI_AutoRange;
    set.replayMode = CUPTI_KernelReplay;
    set.maxRangesPerPass = most_kernels;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    cupti_.call("cuptiRangeProfilerSetConfig", set);
    auto start = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
    start.pRangeProfilerObject = object_;
    cupti_.call("cuptiRangeProfilerStart", start);
  }

  /// Returns what was counted, and the number of kernels.
  [[nodiscard]] std::pair<std::vector<std::uint8_t>, std::size_t> stop() {
    auto stop = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
    stop.pRangeProfilerObject = object_;
    cupti_.call("cuptiRangeProfilerStop", stop);
    auto decode = sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
    decode.pRangeProfilerObject = object_;
    cupti_.call("cuptiRangeProfilerDecodeData", decode);
    auto info =
        sized<CUpti_RangeProfiler_GetCounterDataInfo_Params>(CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
    info.pCounterDataImage = data_.data();
    info.counterDataImageSize = data_.size();
    cupti_.call("cuptiRangeProfilerGetCounterDataInfo", info);
    return {std::move(data_), info.numTotalRanges};
  }

 private:
  const Library& cupti_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  std::vector<std::uint8_t> data_;
};

}  // namespace

std::vector<machine::KernelCounters> count_kernels(const std::vector<std::string>& counters,
                                                   const std::function<void()>& work) {
  const Library cupti({"libcupti.so", "libcupti.so." + std::to_string(CUDART_VERSION / 1000),
                       "/usr/local/cuda/lib64/libcupti.so", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"});
  const CUcontext context = present_context();
  Host host(cupti, context, counters);
  const auto configuration = host.configuration();
  RangeProfiler profiler(cupti, context);
  profiler.start(host.names(), configuration);
  work();
  const auto [data, kernels] = profiler.stop();
  std::vector<machine::KernelCounters> all;
  for (std::size_t i = 0; i < kernels; ++i) all.push_back(host.values(data, i));
  return all;
}

}  // namespace warpfold::bench

#else

namespace warpfold::bench {

std::vector<machine::KernelCounters> count_kernels(const std::vector<std::string>&, const std::function<void()>&) {
  throw Error(ErrorKind::device, "kernels are not counted: this program was built without the headers of CUPTI");
}

}  // namespace warpfold::bench

#endif
