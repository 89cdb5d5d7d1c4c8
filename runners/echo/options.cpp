#include "runners/echo/options.hpp"

#include <limits>

#include <fmt/format.h>
#include <boost/program_options.hpp>

namespace netsettle::runners {
namespace {

namespace po = boost::program_options;

constexpr int kMostWorkers = 1024;   // processes, and threads of each
constexpr int kLargestBatch = 1024;  // of recvmmsg: UIO_MAXIOV
constexpr std::int64_t kLargestBuffer = std::numeric_limits<int>::max();
constexpr std::int64_t kLongestBusyPoll = 1'000'000;
constexpr std::string_view kVersion = "netsettle-echo " NETSETTLE_VERSION "\n";

struct RawOptions {
  EchoOptions options;
  std::int64_t busy_poll_us = 0;
  std::string io_model = "blocking";
  std::string sockets = "shared";
  std::string cpus;
};

po::options_description describe(RawOptions& raw) {
  po::options_description description("Options", 110);
  auto add = description.add_options();
  add("address", po::value(&raw.options.address)->default_value(raw.options.address), "numeric IPv4 or IPv6 address to answer on");
  add("port", po::value(&raw.options.port)->default_value(raw.options.port), "UDP port");
  add("processes", po::value(&raw.options.processes)->default_value(1), "worker processes");
  add("threads", po::value(&raw.options.threads)->default_value(1), "threads of each process; a worker is one thread");
  add("io-model", po::value(&raw.io_model)->default_value(raw.io_model), ("how a worker waits: " + io_model_names()).c_str());
  add("sockets", po::value(&raw.sockets)->default_value(raw.sockets),
      "shared: all workers read from one socket; reuseport: each has its own; reuseport-cpu: and gets the packets of its CPU");
  add("cpus", po::value(&raw.cpus), "CPU list; worker i is pinned to the i-th, from the start again where the list is shorter");
  add("batch", po::value(&raw.options.batch)->default_value(raw.options.batch), "most datagrams of one call or one wake-up");
  add("receive-buffer", po::value(&raw.options.receive_buffer)->default_value(0),
      "SO_RCVBUF of each socket in bytes; 0: as the kernel has it");
  add("send-buffer", po::value(&raw.options.send_buffer)->default_value(0), "SO_SNDBUF of each socket in bytes; 0: as the kernel has it");
  add("busy-poll", po::value(&raw.busy_poll_us)->default_value(0), "SO_BUSY_POLL of each socket in microseconds; 0: off");
  add("help", "this text");
  add("version", "name and version");
  return description;
}

std::string help_text(const po::options_description& description) {
  std::ostringstream options;
  options << description;
  return "Answers every DNS query with the same bytes and the response bit set. Ends on SIGTERM or SIGINT and prints what each\n"
         "worker received and answered as one line of JSON; SIGUSR1 prints it without ending.\n\n"
         "  netsettle-echo --address 127.0.0.1 --port 5300 --processes 2 --cpus 0,1\n"
         "  dnsperf -s 127.0.0.1 -p 5300 -d queries.txt -l 5\n\n" +
         options.str();
}

Expected<void> check(const char* option, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return {};
  return fail(ErrorCode::invalid_input, option, fmt::format("must be from {} to {}", low, high));
}

Expected<EchoOptions> checked(RawOptions raw) {
  NETSETTLE_TRY(check("--port", raw.options.port, 1, 65535));
  NETSETTLE_TRY(check("--processes", raw.options.processes, 1, kMostWorkers));
  NETSETTLE_TRY(check("--threads", raw.options.threads, 1, kMostWorkers));
  NETSETTLE_TRY(check("--batch", raw.options.batch, 1, kLargestBatch));
  NETSETTLE_TRY(check("--receive-buffer", raw.options.receive_buffer, 0, kLargestBuffer));
  NETSETTLE_TRY(check("--send-buffer", raw.options.send_buffer, 0, kLargestBuffer));
  NETSETTLE_TRY(check("--busy-poll", raw.busy_poll_us, 0, kLongestBusyPoll));
  raw.options.busy_poll = std::chrono::microseconds(raw.busy_poll_us);
  const auto sharing = find_socket_sharing(raw.sockets);
  if (!sharing) return fail(ErrorCode::invalid_input, "--sockets", raw.sockets + " is none of: shared, reuseport, reuseport-cpu");
  raw.options.sharing = *sharing;
  raw.options.io_model = find_io_model(raw.io_model);
  if (!raw.options.io_model) return fail(ErrorCode::unsupported, "--io-model", raw.io_model + " is none of: " + io_model_names());
  if (!raw.cpus.empty()) {
    NETSETTLE_ASSIGN(raw.options.cpus, parse_cpu_order(raw.cpus));
  }
  return std::move(raw.options);
}

}  // namespace

std::optional<SocketSharing> find_socket_sharing(std::string_view name) {
  if (name == "shared") return SocketSharing::shared;
  if (name == "reuseport") return SocketSharing::reuseport;
  if (name == "reuseport-cpu") return SocketSharing::reuseport_cpu;
  return std::nullopt;
}

Expected<std::vector<CpuId>> parse_cpu_order(std::string_view text) {
  std::vector<CpuId> order;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    NETSETTLE_ASSIGN(const CpuSet item, parse_cpu_list(text.substr(begin, end - begin)));
    if (item.empty()) return fail(ErrorCode::invalid_input, std::string(text), "not a CPU list (like 0,2-3)");
    order.insert(order.end(), item.begin(), item.end());
    begin = end + 1;
  }
  return order;
}

Expected<EchoCommand> parse_echo_options(const std::vector<std::string>& arguments) {
  RawOptions raw;
  const po::options_description description = describe(raw);
  try {
    po::variables_map given;
    // An empty positional description: a word without option is an error. No guessing of abbreviated options.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(description).positional({}).style(style).run(), given);
    po::notify(given);
    if (given.contains("help")) return EchoInformation{help_text(description)};
    if (given.contains("version")) return EchoInformation{std::string(kVersion)};
  } catch (const po::error& error) {
    return fail(ErrorCode::invalid_input, "netsettle-echo", std::string(error.what()) + "; see --help");
  }
  NETSETTLE_ASSIGN(EchoOptions options, checked(std::move(raw)));
  return options;
}

}  // namespace netsettle::runners
