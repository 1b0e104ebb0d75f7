#include "fold_input.hpp"

#include "warpfold/formats/energy_parameters.hpp"

namespace warpfold::app {

rna::Parameters energy_parameters(const std::string& name) {
  const std::string built_in = rna::rules_1998().name, over = " over " + built_in;
  if (name == built_in) return rna::rules_1998();
  return formats::read_energy_parameters(name.ends_with(over) ? name.substr(0, name.size() - over.size()) : name);
}

}  // namespace warpfold::app
