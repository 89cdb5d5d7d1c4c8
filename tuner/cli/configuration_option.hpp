#pragma once
// --configuration PARAMETER=VALUE,… of `trial` and `plan`.

#include <string>
#include <utility>
#include <vector>

#include "datasets/model/experiment_file.hpp"
#include "datasets/model/search_space.hpp"

namespace netsettle::tuner {

/// "rmem=4MiB,io_model=epoll" as the entry of search.start that the experiment file would have, so that it is checked like one. Without
/// assignments the list is empty. invalid_input.
Expected<Override> start_override(const std::vector<std::string>& assignments);

/// Whether the machine keeps every parameter that the assignments name; `dropped`: those left out, with the reason. unsupported.
Expected<void> check_kept(const std::vector<std::string>& assignments, const std::vector<std::pair<std::string, std::string>>& dropped);

/// The settings of the first entry of search.start, or of the baseline where there is none.
Expected<std::map<std::string, std::string>> settings_of_start(const Experiment& experiment, const SearchSpace& space);

/// "server.processes = 2, …", or "as found".
std::string assignments_text(const std::map<std::string, std::string>& settings);

}  // namespace netsettle::tuner
