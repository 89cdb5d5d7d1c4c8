#pragma once
// The command line of netsettle-echo.

#include <string>
#include <variant>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "runners/echo/io_model.hpp"

namespace netsettle::runners {

struct EchoOptions {
  std::string address = "127.0.0.1";  // numeric
  int port = 5300;
  int processes = 1;
  std::vector<CpuId> cpus;            // process i is pinned to the (i mod n)-th; empty: not pinned
  const IoModel* io_model = nullptr;  // never null after parsing
};

/// --help or --version: the text to print instead of serving.
struct EchoInformation {
  std::string text;
};

using EchoCommand = std::variant<EchoOptions, EchoInformation>;

/// `arguments` without the program's name. invalid_input; unsupported for what no version can do yet (several threads).
Expected<EchoCommand> parse_echo_options(const std::vector<std::string>& arguments);

/// "0,2-3,1" → 0, 2, 3, 1: the order of the text is kept, unlike that of a CpuSet. invalid_input, also for an empty text.
Expected<std::vector<CpuId>> parse_cpu_order(std::string_view text);

}  // namespace netsettle::runners
