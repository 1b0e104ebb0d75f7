#include <memory>

#include "limits.hpp"
#include "machine.hpp"
#include "outputs.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/machine/play.hpp"

namespace warpfold::app {

void add_machine_play(Command command) {
  const Command play = command.add_command("play", "a page to step through runs of the machines");
  play.examples("warpfold machine play -o play.html", "warpfold machine play -o lecture.html --time-limit 60");
  auto output = std::make_shared<std::string>();
  play.in(Group::output).option("-o,--output", *output, ".html file for the page").takes("FILE").required();
  add_limits(play);
  play.runs([output] {
    require_extension("--output", *output, ".html");
    check_outputs({*output});
    io::write_file(*output, machine::Play().page());
  });
}

}  // namespace warpfold::app
