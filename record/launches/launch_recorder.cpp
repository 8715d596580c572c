// SPDX-License-Identifier: Apache-2.0
// Writes down kernel launches of a CUDA program as launches for tcsim: machine code, arguments, and memory before and after. It is a
// library that CUDA loads into the program (CUDA_INJECTION64_PATH), which is not changed for it. What it is told stands in the environment:
// README.md.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cupti.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using bytes = std::vector<char>;

std::string setting(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

void write_file(const fs::path& path, const bytes& content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream text;
  text << std::hex << value;
  return text.str();
}

struct extents {
  unsigned x = 1, y = 1, z = 1;
};

std::ostream& operator<<(std::ostream& out, const extents& e) { return out << e.x << ' ' << e.y << ' ' << e.z; }

/// A launch as the driver is asked for it.
struct launch_call {
  CUfunction function = nullptr;
  extents grid, block, cluster;
  unsigned dynamic_shared_bytes = 0;
  void** arguments = nullptr;
};

launch_call call_of(const cuLaunchKernel_params& p) {
  return {p.f, {p.gridDimX, p.gridDimY, p.gridDimZ}, {p.blockDimX, p.blockDimY, p.blockDimZ}, {}, p.sharedMemBytes, p.kernelParams};
}

launch_call call_of(const cuLaunchKernelEx_params& p) {
  const CUlaunchConfig& c = *p.config;
  launch_call call{p.f,           {c.gridDimX, c.gridDimY, c.gridDimZ}, {c.blockDimX, c.blockDimY, c.blockDimZ}, {}, c.sharedMemBytes,
                   p.kernelParams};
  for (unsigned i = 0; i < c.numAttrs; ++i)
    if (c.attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      const auto& cluster = c.attrs[i].value.clusterDim;
      call.cluster = {cluster.x, cluster.y, cluster.z};
    }
  return call;
}

/// What is known of the program so far, and the launch that is being recorded.
class recorder {
 public:
  void loaded(const CUpti_ModuleResourceData& module) { cubins_.emplace_back(module.pCubin, module.pCubin + module.cubinSize); }
  void allocated(CUdeviceptr address, std::size_t count) { memory_[address] = count; }
  void freed(CUdeviceptr address) { memory_.erase(address); }

  void begin(launch_call call) {
    const char* name = nullptr;
    if (cuFuncGetName(&name, call.function) != CUDA_SUCCESS) {  // it is a CUkernel
      cuKernelGetFunction(&call.function, reinterpret_cast<CUkernel>(call.function));
      cuFuncGetName(&name, call.function);
    }
    if (name == nullptr || std::string(name).find(setting("RECORD_KERNEL", "")) == std::string::npos) return;
    if (count_ >= std::atoi(setting("RECORD_LAUNCHES", "1").c_str())) return;
    folder_ = fs::path(setting("RECORD_FOLDER", ".")) / ("launch" + std::to_string(count_));
    fs::create_directories(folder_);
    write_text(call, name);
    write_code(name);
    write_memory(".pre");
    is_open_ = true;
  }

  void end() {
    if (!is_open_) return;
    write_memory(".post");
    is_open_ = false;
    ++count_;
  }

 private:
  void write_text(const launch_call& call, const std::string& name) {
    int static_shared_bytes = 0, registers = 0;
    cuFuncGetAttribute(&static_shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, call.function);
    cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, call.function);
    std::ofstream text(folder_ / "launch.txt");
    text << "kernel " << name << "\ngrid " << call.grid << "\nblock " << call.block << "\ncluster " << call.cluster;
    text << "\nshared dynamic " << call.dynamic_shared_bytes << " static " << static_shared_bytes << "\nregisters " << registers << '\n';
    std::size_t offset = 0, count = 0;
    for (std::size_t i = 0; call.arguments != nullptr && cuFuncGetParamInfo(call.function, i, &offset, &count) == CUDA_SUCCESS; ++i) {
      text << "param " << offset << ' ' << count << ' ';
      for (std::size_t k = 0; k < count; ++k) {
        std::array<char, 3> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", static_cast<const unsigned char*>(call.arguments[i])[k]);
        text << digits.data();
      }
      text << '\n';
    }
    for (const auto& [address, size] : memory_) text << "memory 0x" << hexadecimal(address) << ' ' << size << '\n';
    write_variables(text, call.function);
  }

  /// Variables of the module, which are memory from now on.
  void write_variables(std::ostream& text, CUfunction function) {
    CUmodule module = nullptr;
    if (cuFuncGetModule(&module, function) != CUDA_SUCCESS) return;
    std::istringstream names(setting("RECORD_VARIABLES", ""));
    for (std::string name; std::getline(names, name, ',');) {
      CUdeviceptr address = 0;
      std::size_t size = 0;
      if (cuModuleGetGlobal(&address, &size, module, name.c_str()) != CUDA_SUCCESS) continue;
      text << "global " << name << " 0x" << hexadecimal(address) << ' ' << size << '\n';
      memory_[address] = size;
    }
  }

  /// The last module with the kernel in it.
  void write_code(const std::string& name) const {
    for (const bytes& cubin : cubins_)
      if (std::search(cubin.begin(), cubin.end(), name.begin(), name.end()) != cubin.end()) write_file(folder_ / "code.cubin", cubin);
  }

  void write_memory(const std::string& ending) const {
    cuCtxSynchronize();
    for (const auto& [address, size] : memory_) {
      bytes content(size);
      if (cuMemcpyDtoH(content.data(), address, size) != CUDA_SUCCESS) continue;
      const fs::path before = folder_ / (hexadecimal(address) + ".pre"), file = folder_ / (hexadecimal(address) + ending);
      const bool is_zero = std::all_of(content.begin(), content.end(), [](char byte) { return byte == 0; });
      if (ending == ".pre" && is_zero) continue;
      if (ending == ".post" && is_same(before, content)) continue;
      write_file(file, content);
    }
  }

  /// Whether memory holds what it held before; without a file that was zeros.
  static bool is_same(const fs::path& before, const bytes& content) {
    if (!fs::exists(before)) return std::all_of(content.begin(), content.end(), [](char byte) { return byte == 0; });
    std::ifstream file(before, std::ios::binary);
    return std::equal(content.begin(), content.end(), std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }

  std::map<CUdeviceptr, std::size_t> memory_;
  std::vector<bytes> cubins_;
  fs::path folder_;
  int count_ = 0;
  bool is_open_ = false;
};

template <class Parameters>
const Parameters& parameters_of(const CUpti_CallbackData& data) {
  return *static_cast<const Parameters*>(data.functionParams);
}

void see_call(recorder& into, CUpti_CallbackId call, const CUpti_CallbackData& data) {
  const bool begins = data.callbackSite == CUPTI_API_ENTER;
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2: {
      const auto& p = parameters_of<cuMemAlloc_v2_params>(data);
      if (!begins) into.allocated(*p.dptr, p.bytesize);
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2:
      if (begins) into.freed(parameters_of<cuMemFree_v2_params>(data).dptr);
      break;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
      begins ? into.begin(call_of(parameters_of<cuLaunchKernel_params>(data))) : into.end();
      break;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
      begins ? into.begin(call_of(parameters_of<cuLaunchKernelEx_params>(data))) : into.end();
      break;
    default:
      break;
  }
}

void CUPTIAPI callback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  static recorder all;
  static std::mutex lock;
  static thread_local bool is_inside = false;  // the recorder's own calls
  if (is_inside) return;
  const std::lock_guard<std::mutex> guard(lock);
  is_inside = true;
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) see_call(all, id, *static_cast<const CUpti_CallbackData*>(data));
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
    const auto* const resource = static_cast<const CUpti_ResourceData*>(data);
    all.loaded(*static_cast<const CUpti_ModuleResourceData*>(resource->resourceDescriptor));
  }
  is_inside = false;
}

}  // namespace

/// What CUDA calls when it has loaded the library.
extern "C" int InitializeInjection() {
  CUpti_SubscriberHandle subscriber = nullptr;
  if (cuptiSubscribe(&subscriber, callback, nullptr) != CUPTI_SUCCESS) {
    std::fputs("launch_recorder: another tool watches this program already\n", stderr);
    return 1;
  }
  cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE);
  cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
  return 1;
}
