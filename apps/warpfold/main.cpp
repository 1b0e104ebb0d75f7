#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "command.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"

namespace {

int fail(int code, const std::string& message) {
  fmt::print(stderr, "warpfold: error: {}\n", message);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace warpfold;
  CLI::App app("Dynamic programming at hardware speed, and the memory machines that explain it.", "warpfold");
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app::add_bench(app);
  app::add_chain(app);
  app::add_coins(app);
  app::add_info(app);
  app::add_knapsack(app);
  app::add_machine(app);
  app::add_minplus(app);
  app::add_paper(app);
  app::add_permute(app);
  app::add_recurrence(app);
  app::add_subset_sum(app);
  app::add_tree(app);
  app::add_tune(app);
  app::add_triangulate(app);
  app::add_verify(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return fail(exit_code(ErrorKind::usage), error.what());
  } catch (const Error& error) {
    return fail(exit_code(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(exit_code(ErrorKind::limit), "there is not enough memory");
  } catch (const std::exception& error) {
    return fail(exit_code(ErrorKind::internal), error.what());
  }
  return 0;
}
