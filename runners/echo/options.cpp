#include "runners/echo/options.hpp"

#include <fmt/format.h>
#include <boost/program_options.hpp>

namespace netsettle::runners {
namespace {

namespace po = boost::program_options;

constexpr int kMaxProcesses = 1024;
constexpr std::string_view kVersion = "netsettle-echo " NETSETTLE_VERSION "\n";

struct RawOptions {
  EchoOptions options;
  int threads = 1;
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
  add("threads", po::value(&raw.threads)->default_value(1), "threads of each worker: only 1 so far");
  add("io-model", po::value(&raw.io_model)->default_value(raw.io_model), ("how a worker waits: " + io_model_names()).c_str());
  add("sockets", po::value(&raw.sockets)->default_value(raw.sockets), "shared: all workers read from one socket");
  add("cpus", po::value(&raw.cpus), "CPU list; worker i is pinned to the i-th, from the start again where the list is shorter");
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

Expected<EchoOptions> checked(RawOptions raw) {
  if (raw.options.port < 1 || raw.options.port > 65535) return fail(ErrorCode::invalid_input, "--port", "must be from 1 to 65535");
  if (raw.options.processes < 1 || raw.options.processes > kMaxProcesses)
    return fail(ErrorCode::invalid_input, "--processes", fmt::format("must be from 1 to {}", kMaxProcesses));
  if (raw.threads != 1) return fail(ErrorCode::unsupported, "--threads", "only 1 is supported; use --processes");
  if (raw.sockets != "shared") return fail(ErrorCode::unsupported, "--sockets", "only shared is supported");
  raw.options.io_model = find_io_model(raw.io_model);
  if (!raw.options.io_model) return fail(ErrorCode::unsupported, "--io-model", raw.io_model + " is none of: " + io_model_names());
  if (!raw.cpus.empty()) {
    NETSETTLE_ASSIGN(raw.options.cpus, parse_cpu_order(raw.cpus));
  }
  return std::move(raw.options);
}

}  // namespace

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
