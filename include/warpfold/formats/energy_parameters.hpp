#pragma once

#include <string>
#include <string_view>

#include "warpfold/rna/parameters.hpp"

namespace warpfold::formats {

/// Reads the energies of RNA loops from a file in the form "RNAfold parameter file v2.0", which RNAfold takes too.
///
/// A file may have some of the sections. The others keep the numbers of rna::rules_1998, and the name of the result
/// says so. Numbers of pairs other than CG, GC, GU, UG, AU and UA are ignored. For N in a 2 x 2 loop, which the form
/// does not have, the largest energy of the four bases stands.
///
/// Raises Error{input} with file and line for another form, for an unknown section, and for a section with more or
/// fewer numbers than it should have. It also raises it for a word that is no number, for INF where a loop always
/// exists, and for a file that ends before "# END".
[[nodiscard]] rna::Parameters read_energy_parameters(const std::string& path);
/// Reads from the content of a file. `path` is for messages.
[[nodiscard]] rna::Parameters parse_energy_parameters(const std::string& path, std::string_view content);

/// Returns the parameters of a name: the set of rna::rules_1998, or those of a file, whose name a result may state. If
/// there is no such file, a name such as turner2004 is that of a set of an installed ViennaRNA: the file
/// share/ViennaRNA/rna_turner2004.par beside a folder of PATH.
[[nodiscard]] rna::Parameters energy_parameters(const std::string& name);

}  // namespace warpfold::formats
