#pragma once
// The command line of netsettle-echo.

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "runners/echo/echo_sockets.hpp"
#include "runners/echo/io_model.hpp"

namespace netsettle::runners {

struct EchoOptions {
  std::string address = "127.0.0.1";  // numeric
  int port = 5300;
  int processes = 1;
  int threads = 1;                    // of each process
  std::vector<CpuId> cpus;            // worker i is pinned to the (i mod n)-th; empty: not pinned
  const IoModel* io_model = nullptr;  // never null after parsing
  SocketSharing sharing = SocketSharing::shared;
  int batch = 32;
  std::int64_t receive_buffer = 0;  // bytes asked for; 0: the kernel's default
  std::int64_t send_buffer = 0;
  std::chrono::microseconds busy_poll{0};
};

/// --help or --version: the text to print instead of serving.
struct EchoInformation {
  std::string text;
};

using EchoCommand = std::variant<EchoOptions, EchoInformation>;

/// `arguments` without the program's name. invalid_input; unsupported for an unknown I/O model.
Expected<EchoCommand> parse_echo_options(const std::vector<std::string>& arguments);

/// The three names of --sockets; absent for any other.
std::optional<SocketSharing> find_socket_sharing(std::string_view name);

/// "0,2-3,1" → 0, 2, 3, 1: the order of the text is kept, unlike that of a CpuSet. invalid_input, also for an empty text.
Expected<std::vector<CpuId>> parse_cpu_order(std::string_view text);

}  // namespace netsettle::runners
