#include "papers/data.hpp"

#include <system_error>

namespace warpfold::papers {

namespace fs = std::filesystem;

fs::path data_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = (program.parent_path() / WARPFOLD_DATA_FROM_PROGRAM).lexically_normal();
  return fs::is_directory(folder, error) ? folder : fs::path();
}

fs::path recorded_results() {
  const fs::path folder = data_folder() / "results";
  std::error_code error;
  return fs::is_directory(folder, error) ? folder : fs::path();
}

}  // namespace warpfold::papers
