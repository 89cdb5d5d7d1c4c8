#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "datasets/model/experiment_file.hpp"

using namespace netsettle;

namespace {

// Line numbers matter: the rows below name them.
const std::string kBase =
    "schema = 1\n"                   // 1
    "[study]\n"                      // 2
    "name = \"t\"\n"                 // 3
    "[rig]\n"                        // 4
    "kind = \"namespaces\"\n"        // 5
    "[server]\n"                     // 6
    "port = 5300\n"                  // 7
    "[load]\n"                       // 8
    "queries = \"q.txt\"\n"          // 9
    "[trial]\n"                      // 10
    "measure = \"2s\"\n"             // 11
    "[objective]\n"                  // 12
    "maximize = \"qps\"\n"           // 13
    "[parameters.p]\n"               // 14
    "sets = \"server.processes\"\n"  // 15
    "type = \"integer\"\n"           // 16
    "range = [1, 4]\n"               // 17
    "[constraints]\n"                // 18
    "require = [\"p <= cpus\"]\n"    // 19
    "[search]\n"                     // 20
    "strategy = \"random\"\n"        // 21
    "[budget]\n"                     // 22
    "trials = 40\n"                  // 23
    "[safety]\n"                     // 24
    "abort_if = []\n"                // 25
    "[notify]\n"                     // 26
    "command = []\n";                // 27

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::vector<std::string> messages(const std::string& text, const std::vector<Override>& overrides = {}) {
  const auto experiment = parse_experiment(text, "/studies/t.toml", overrides);
  std::vector<std::string> lines;
  if (!experiment)
    for (const Diagnostic& diagnostic : experiment.error())
      lines.push_back(fmt::format("{}:{}: {}", diagnostic.line, diagnostic.column, diagnostic.message));
  return lines;
}

struct Row {
  std::string from;
  std::string to;
  std::string place;    // "line:column"
  std::string message;  // part of it
};

void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.from << " -> " << row.to);
    const auto found = messages(replaced(kBase, row.from, row.to));
    CAPTURE(found);
    REQUIRE(found.size() == 1);
    CHECK_THAT(found.front(), Catch::StartsWith(row.place + ": "));
    CHECK_THAT(found.front(), Catch::Contains(row.message));
  }
}

}  // namespace

TEST_CASE("The base of these tests has no mistake") { CHECK(messages(kBase).empty()); }

TEST_CASE("A mistake in the frame of the file is named with its place") {
  check_rows({
      {"schema = 1\n", "\n", "1:1", "must begin with schema = 1"},
      {"schema = 1", "schema = 2", "1:10", "schema 2 is newer"},
      {"schema = 1", "schema = \"1\"", "1:10", "'schema' must be a whole number, not a text"},
      {"[study]\nname = \"t\"", "\n", "0:0", "[study] is missing (it needs the key 'name')"},
      {"[load]\nqueries = \"q.txt\"", "\n", "0:0", "[load] is missing (it needs the key 'queries')"},
      {"[trial]", "[trail]", "10:2", "unknown key 'trail' at the top of the file; did you mean 'trial'?"},
      {"[trial]\nmeasure = \"2s\"", "[[trial]]\nmeasure = \"2s\"", "10:1", "'trial' must be a table, not a list (like [trial])"},
      {"measure = \"2s\"", "mesure = \"2s\"", "11:1", "unknown key 'mesure' in [trial]; did you mean 'measure'?"},
      {"measure = \"2s\"", "measure = \"2s", "11:14", ""},
      {"port = 5300", "port = 5300\nport = 5301", "8:8", "cannot redefine existing integer 'port'"},
  });
}

TEST_CASE("A wrong type says what is expected, with an example") {
  check_rows({
      {"name = \"t\"", "name = 7", "3:8", "'name' must be a text in quotes, not a whole number (like name = \"quick\")"},
      {"port = 5300", "port = \"5300\"", "7:8", "'port' must be a whole number, not a text (like port = 1)"},
      {"port = 5300", "port = 53.5", "7:8", "'port' must be a whole number, not a number with a fraction"},
      {"measure = \"2s\"", "measure = 2", "11:11", "'measure' must be a text in quotes, not a whole number (like measure = \"2s\")"},
      {"measure = \"2s\"", "measure = 06:30:00", "11:11", "not a date or time"},
      {"measure = \"2s\"", "attempts = true", "11:12", "'attempts' must be a whole number, not true or false"},
      {"abort_if = []", "abort_if = \"x\"", "25:12", "'abort_if' must be a list of conditions"},
      {"abort_if = []", "abort_if = [1]", "25:13", "an item of 'abort_if' must be a text"},
      {"abort_if = []", "allow_link_reset = 1", "25:20", "'allow_link_reset' must be true or false"},
      {"command = []", "command = [1, \"a\"]", "27:12", "an item of 'command' must be a text"},
      {"command = []", "command = \"tell\"", "27:11", "'command' must be a list of texts"},
      {"require = [\"p <= cpus\"]", "require = \"p <= cpus\"", "19:11", "'require' must be a list of conditions"},
      {"strategy = \"random\"", "strategy = 1", "21:12", "'strategy' must be a text"},
      {"sets = \"server.processes\"", "sets = 1", "15:8", "'sets' must be a text or a list of texts"},
      {"range = [1, 4]", "range = 4", "17:9", "'range' must be a list of two ends"},
      {"range = [1, 4]", "range = [1, 4]\noptional = \"yes\"", "18:12", "'optional' must be true or false"},
      {"range = [1, 4]", "range = [1, 4]\nwith = []", "18:8", "'with' must be a table"},
      {"range = [1, 4]", "range = [1, 4]\nwhen = true", "18:8", "'when' must be a text"},
      {"range = [1, 4]", "values = 4", "17:10", "'values' must be a list"},
  });
}

TEST_CASE("A value outside its limits is refused") {
  check_rows({
      {"name = \"t\"", "name = \"../t\"", "3:8", "becomes a file name"},
      {"name = \"t\"", "name = \"t\"\nseed = -1", "4:8", "'seed' must be between 0"},
      {"port = 5300", "port = 65536", "7:8", "'port' must be between 1 and 65535, not 65536"},
      {"port = 5300", "processes = 0", "7:13", "'processes' must be between 1 and 1024"},
      {"port = 5300", "cores = \"some\"", "7:9", "\"all\" or a number of CPUs"},
      {"port = 5300", "placement = \"3-1\"", "7:13", "or a CPU list"},
      {"port = 5300", "placement = \"sibling\"", "7:13", "did you mean 'siblings'?; supported are \"spread\", \"pack\", \"one-per-core\""},
      {"port = 5300", "memory = \"locall\"", "7:10",
       "did you mean 'local'?; supported are \"default\", \"local\", \"bind\", \"interleave\""},
      {"port = 5300", "memory = \"node:\"", "7:10", "a node like \"node:1\""},
      {"queries = \"q.txt\"", "queries = \"q\"\ncpus = \"node:a\"", "10:8", "\"cores:N@node:N\" or \"cores:N@package:N\", not \"node:a\""},
      {"queries = \"q.txt\"", "queries = \"q\"\ncpus = 3", "10:8", "'cpus' must be a text in quotes"},
      {"queries = \"q.txt\"", "queries = \"\"", "9:11", "'queries' is not a path"},
      {"queries = \"q.txt\"", "queries = \"q\"\nclients = 0", "10:11", "'clients' must be between"},
      {"queries = \"q.txt\"", "queries = \"q\"\naccept = []", "10:10", "at least one response code"},
      {"queries = \"q.txt\"", "queries = \"q\"\naccept = [\"NXDOMIAN\"]", "10:10", "did you mean 'NXDOMAIN'?"},
      {"queries = \"q.txt\"", "queries = \"q\"\nfamily = \"ipv5\"", "10:10", "'family' cannot be \"ipv5\"; did you mean 'ipv4'?"},
      {"measure = \"2s\"", "measure = \"2\"", "11:11", "'measure' is not a duration: a duration needs a unit"},
      {"measure = \"2s\"", "measure = \"0s\"", "11:11", "'measure' must be at least 100 ms"},
      {"measure = \"2s\"", "measure = \"900h\"", "11:11", "at most a week"},
      {"maximize = \"qps\"", "min_effect = \"1\"", "13:14", "'min_effect' is a share"},
      {"maximize = \"qps\"", "min_effect = 1", "13:14", "'min_effect' is a share"},
      {"maximize = \"qps\"", "min_effect = nan", "13:14", "'min_effect' is a share"},
      {"trials = 40", "trials = 0", "23:10", "'trials' must be between"},
      {"trials = 40", "until = \"6:30\"", "23:9", "hours and minutes, like until = \"06:30\""},
      {"trials = 40", "until = \"24:00\"", "23:9", "hours and minutes"},
      {"trials = 40", "trials = 4\nwindow = \"22:00\"", "24:10", "like window = \"22:00-06:30\""},
      {"trials = 40", "trials = 4\nwindow = \"06:00-06:00\"", "24:10", "hours and minutes"},
      {"trials = 40", "window = \"22:00-06:30\"", "22:1", "[budget] needs 'trials' or 'until'"},
  });
}

TEST_CASE("What a later release will do is 'not supported yet', not unknown") {
  check_rows({
      {"name = \"t\"", "name = \"t\"\nbaseline = \"kernel-defaults\"", "4:12",
       "baseline = \"kernel-defaults\" is not supported yet; supported is \"as-found\""},
      {"queries = \"q.txt\"", "queries = \"q\"\nkind = \"pktgen\"", "10:8",
       "not supported yet; supported are \"dnsperf\", \"resperf\", \"kxdpgun\", \"command\""},
      {"queries = \"q.txt\"", "queries = \"q\"\ntransport = \"tcp\"", "10:13",
       "transport = \"tcp\" is not measured yet; supported is \"udp\""},
      {"queries = \"q.txt\"", "queries = \"q\"\ntransport = \"quic\"", "10:13", "'transport' cannot be \"quic\""},
      {"measure = \"2s\"", "measure = \"auto\"", "11:11", "measure = \"auto\" is not supported yet"},
      {"maximize = \"qps\"", "maximize = \"pps\"", "13:12", "not supported yet"},
      {"maximize = \"qps\"", "maximize = \"lost_percent\"", "13:12", "more of 'lost_percent' is not better"},
      {"maximize = \"qps\"", "maximize = \"qbs\"", "13:12", "unknown metric 'qbs'; did you mean 'qps'?"},
      {"strategy = \"random\"", "strategy = \"randon\"", "21:12", "'strategy' cannot be \"randon\"; did you mean 'random'?"},
      {"range = [1, 4]", "range = [1, 4]\ndefault = 1", "18:11", "'default' in [parameters.p] belongs to rig.kind"},
      {"server.processes", "nic.ring", "15:8", "unknown setting 'nic.ring'"},
      {"server.processes", "client.sysctl.net.core.wmem_max", "15:8", "not supported yet"},
      {"server.processes", "queues.xps.cout", "15:8", "unknown setting 'queues.xps.cout'; did you mean 'queues.xps.count'?; of queues"},
      {"server.processes", "sysctl.vm.swapiness", "15:8", "not supported yet; did you mean 'sysctl.vm.swappiness'?"},
      {"server.processes", "sysctl.kernel.core_pattern", "15:8", "not supported yet; this release changes sysctl.net.core.*"},
  });
}

TEST_CASE("A load that cannot be run as written is refused with what to write") {
  check_rows({
      {"queries = \"q.txt\"", "queries = \"q\"\nrate = 0", "10:8", "'rate' is a number of queries per second from 1"},
      {"queries = \"q.txt\"", "queries = \"q\"\nrate = 100\nkind = \"resperf\"", "8:1", "raises the rate by itself"},
      {"queries = \"q.txt\"", "queries = \"q\"\nthreads = 9", "8:1", "load.threads = 9 is more than load.clients = 8"},
      {"queries = \"q.txt\"", "queries = \"q\"\nthreads = 8\noutstanding = 4", "8:1", "a thread without a place in the window"},
      {"queries = \"q.txt\"", "queries = \"q\"\nargv = [\"iperf3\"]", "8:1", "belong to load.kind = \"command\""},
      {"queries = \"q.txt\"", "kind = \"command\"\nresult = { qps = \"/qps\" }", "8:1", "needs 'argv'"},
      {"queries = \"q.txt\"", "kind = \"command\"\nargv = [\"x\"]\nresult = { sent = \"/s\" }", "8:1",
       "the JSON pointer of 'completed' or 'qps'"},
      {"queries = \"q.txt\"", "kind = \"command\"\nargv = [\"x\"]\nresult = { qps = \"end/qps\" }", "11:18", "is no JSON pointer"},
      {"queries = \"q.txt\"", "kind = \"command\"\nargv = [\"x\"]\nresult = { qbs = \"/qps\", qps = \"/qps\" }", "11:12",
       "did you mean 'qps'?"},
      {"queries = \"q.txt\"", "queries = \"q\"\ntsig_key_file = \"\"", "10:17", "'tsig_key_file' is not a path"},
      {"maximize = \"qps\"", "maximize = \"latency_avg_us\"", "12:1", "'latency_avg_us' as the objective needs load.rate"},
      {"maximize = \"qps\"", "subject_to = [\"latency_avg_us < 900\"]", "12:1", "needs load.rate (an open loop)"},
      {"port = 5300", "receive_buffer = \"2GiB\"", "7:18", "'receive_buffer' is a size up to 1GiB"},
      {"port = 5300", "io_model = \"epol\"", "7:12", "did you mean 'epoll'?"},
  });
}

TEST_CASE("A rig of two machines is refused where it cannot be made as written") {
  const std::string server = "[rig.server]\ninterface = \"eth1\"\ntest_address = \"198.18.0.1\"\n";
  const std::string client = "[[rig.client]]\nhost = \"ssh:root@client1\"\n";
  const auto rig = [&](const std::string& rest) { return "kind = \"hosts\"\n" + rest; };
  check_rows({
      {"kind = \"namespaces\"\n", rig(client), "4:1", "needs the table [rig.server] with interface and test_address"},
      {"kind = \"namespaces\"\n", rig(server), "4:1", "needs one [[rig.client]]"},
      {"kind = \"namespaces\"\n", rig(server + "[[rig.client]]\nhost = \"client1\"\n"), "9:1", "(like ssh:root@client1), not \"client1\""},
      {"kind = \"namespaces\"\n", rig(server + "[[rig.client]]\nhost = \"ssh:-oProxyCommand=x\"\n"), "9:1", "what ssh takes"},
      {"kind = \"namespaces\"\n", rig("[rig.server]\ntest_address = \"198.18.0.1\"\n" + client), "6:1", "'interface'"},
      {"kind = \"namespaces\"\n", rig("[rig.server]\ninterface = \"../eth1\"\ntest_address = \"198.18.0.1\"\n" + client), "6:1",
       "is not the name of an interface"},
      {"kind = \"namespaces\"\n", "kind = \"namespaces\"\n" + server, "6:1", "[rig.server] belongs to rig.kind = \"hosts\""},
  });
  const auto two = parse_experiment(replaced(kBase, "kind = \"namespaces\"\n", rig(server + client)), "/studies/t.toml", {});
  REQUIRE(two);
  CHECK(two->rig.server.interface == "eth1");
  CHECK(two->rig.client.host == "ssh:root@client1");
}

TEST_CASE("A server of one's own is refused where it cannot be run as written") {
  const std::string named = "kind = \"command\"\nargv = [\"named\", \"-g\"]";
  check_rows({
      {"port = 5300", "argv = [\"named\"]", "7:8", "'argv' belongs to server.kind = \"command\""},
      {"port = 5300", named, "16:8", "server.processes has no effect: server.argv has no {processes}"},
      {"port = 5300", "ready = { udp = false }", "7:9", "'ready' knows udp = true only"},
      {"port = 5300", "netns = \"/run/netns/x\"", "7:1", "runs in the rig's own namespace"},
  });
  const auto without_program = messages(replaced(kBase, "port = 5300", "kind = \"command\""));
  CHECK(std::ranges::any_of(without_program, [](const std::string& line) { return line.find("needs 'argv'") != std::string::npos; }));
}

TEST_CASE("A parameter has a type and words that its setting takes") {
  const std::string integer = "sets = \"server.processes\"\ntype = \"integer\"\nrange = [1, 4]\n[constraints]\nrequire = [\"p <= cpus\"]\n";
  const auto with = [](const std::string& sets, const std::string& rest) { return "sets = \"" + sets + "\"\n" + rest + "\n"; };
  check_rows({
      {integer, with("server.io_model", "type = \"integer\"\nrange = [1, 4]"), "15:8", "server.io_model needs type \"categorical\""},
      {integer, with("server.io_model", "type = \"categorical\"\nvalues = [\"poll\", \"epol\"]"), "15:8",
       "not \"epol\"; did you mean 'epoll'?"},
      {integer, with("server.sockets", "type = \"categorical\"\nvalues = [\"both\"]"), "15:8",
       "server.sockets is \"shared\", \"reuseport\", \"reuseport-cpu\", not \"both\""},
      {integer, with("server.receive_buffer", "type = \"integer\"\nrange = [1, 4]"), "15:8", "needs type \"bytes\""},
      {integer, with("server.batch", "type = \"integer\"\nrange = [0, 4]"), "15:8", "server.batch cannot be below 1"},
      {integer, with("server.placement", "type = \"categorical\"\nvalues = [\"nic-nod\"]"), "15:8",
       "not \"nic-nod\"; did you mean 'nic-node'?"},
      {integer, with("memory.policy", "type = \"categorical\"\nvalues = [\"node:0\", \"nod:1\"]"), "15:8", " or node:N, not \"nod:1\""},
      {integer, with("memory.policy", "type = \"integer\"\nrange = [0, 4]"), "15:8", "memory.policy needs type \"categorical\""},
      {integer, with("server.placement", "type = \"integer\"\nrange = [0, 4]"), "15:8", "needs type \"categorical\" or \"cpus\""},
  });
}

TEST_CASE("A setting that cannot be a parameter is refused with the reason") {
  check_rows({
      {"server.processes", "server.proceses", "15:8", "did you mean 'server.processes'?"},
      {"server.processes", "server.port", "15:8", "'server.port' cannot be a parameter"},
      {"server.processes", "srver.processes", "15:8", "unknown kind of setting 'srver'; did you mean 'server'?"},
      {"server.processes", "processes", "15:8", "is not the name of a setting"},
      {"server.processes", "sysctl.net.core.../../x", "15:8", "is not the name of a setting"},
      {"server.processes", "sysctl.net.core.", "15:8", "is not the name of a setting"},
      {"server.processes", "memory.policies", "15:8", "of memory this release can change memory.policy"},
      {"server.processes", "load.clients", "15:8", "allowed only with rig.kind = \"loopback\""},
      {"sets = \"server.processes\"", "sets = []", "15:8", "'sets' is an empty list"},
      {"sets = \"server.processes\"", "sets = [\"server.processes\", \"server.processes\"]", "15:29",
       "already changed by the parameter 'p' (line 14)"},
      {"sets = \"server.processes\"\n", "\n", "14:1", "[parameters.p] needs the key 'sets'"},
  });
  const std::string loopback = replaced(kBase, "\"namespaces\"", "\"loopback\"");
  CHECK(messages(loopback).empty());
  CHECK(messages(replaced(loopback, "server.processes", "load.clients")).empty());
  const auto refused = messages(replaced(loopback, "server.processes", "sysctl.net.core.rmem_max"));
  REQUIRE(refused.size() == 1);
  CHECK_THAT(refused.front(), Catch::StartsWith("15:8: ") && Catch::Contains("use rig.kind = \"namespaces\" (needs root)"));
}

TEST_CASE("A parameter whose values make no sense is refused") {
  check_rows({
      {"type = \"integer\"\n", "\n", "14:1", "[parameters.p] needs the key 'type'"},
      {"type = \"integer\"", "type = \"int\"", "16:8", "'type' cannot be \"int\""},
      {"range = [1, 4]\n", "\n", "14:1", "needs either a 'range' or a list of 'values'"},
      {"range = [1, 4]", "range = [1, 4]\nvalues = [1]", "18:10", "needs either a 'range' or a list of 'values'"},
      {"range = [1, 4]", "range = [4, 1]", "17:9", "the range is empty: 4 is above 1"},
      {"range = [1, 4]", "range = [1]", "17:9", "'range' needs two ends, not 1"},
      {"range = [1, 4]", "range = [0, 4]", "15:8", "server.processes cannot be below 1"},
      {"range = [1, 4]", "range = [1, 4]\nspecial = [0]", "15:8", "server.processes cannot be below 1"},
      {"range = [1, 4]", "range = [1.5, 4]", "17:10", "'range' must be a whole number"},
      {"range = [1, 4]", "range = [\"3 / 2\", 4]", "17:10", "3 / 2 in 'range' is not a whole number"},
      {"range = [1, 4]", "range = [1, \"1 / 0\"]", "17:13", "division by zero"},
      {"range = [1, 4]", "range = [1, 9007199254740993]", "17:13", "too large: whole numbers are exact up to 2^53"},
      {"range = [1, 4]", "range = [1, \"cpus +\"]", "17:20", "in the expression \"cpus +\": the expression ends"},
      {"range = [1, 4]", "range = [1, \"2 * cpu\"]", "17:18", "unknown name 'cpu'; a range may use the facts"},
      {"range = [1, 4]", "range = [1, \"cpus > 2\"]", "17:13", "must be a number"},
      {"range = [1, 4]", "range = [1, \"p + 1\"]", "17:14", "'p' is a parameter, a range may use only the facts"},
      {"range = [1, 4]", "range = [1, 4]\nscale = \"logarithmic\"", "18:9", "'scale' cannot be \"logarithmic\""},
      {"range = [1, 4]", "range = [1, 4]\nstep = 0", "18:8", "'step' must be above 0"},
      {"range = [1, 4]", "range = [1, 4]\nscale = \"log\"\nstep = 2", "19:8", "'step' needs scale = \"linear\""},
      {"range = [1, 4]", "values = [1, 2, 1]", "17:17", "'values' has the value 1 twice"},
      {"range = [1, 4]", "values = [\"as-found\"]", "17:10", "at least one value beside"},
      {"range = [1, 4]", "range = [1, 4]\nspecial = [\"many\"]", "18:12", "'special' must be a whole number, not a text"},
      {"[parameters.p]", "[parameters.p]\nkeep_it = true", "15:1", "unknown key 'keep_it' in [parameters.p]"},
  });
}

TEST_CASE("Types other than whole numbers have rules of their own") {
  const std::string sysctl = replaced(kBase, "server.processes", "sysctl.net.core.rmem_max");
  const auto with = [&sysctl](const std::string& type, const std::string& domain) {
    return messages(replaced(replaced(replaced(sysctl, "\"p <= cpus\"", ""), "\"integer\"", "\"" + type + "\""), "range = [1, 4]", domain));
  };
  CHECK(with("bytes", "range = [\"64KiB\", \"ram / 8\"]\nscale = \"log\"").empty());
  CHECK(with("bytes", "range = [4096, \"2 * 64 * 1024\"]\nspecial = [\"as-found\", \"1GiB\"]").empty());
  CHECK(with("duration", "range = [\"500us\", \"2ms\"]\nstep = \"500us\"").empty());
  CHECK(with("real", "range = [0, 0.5]\nstep = 0.1").empty());
  CHECK(with("boolean", "").empty());
  CHECK(with("categorical", "values = [\"as-found\", \"a\", \"b\"]").empty());
  CHECK(with("cpus", "values = [\"0-1\", \"3\"]").empty());

  const std::vector<std::array<std::string, 3>> bad = {
      {"bytes", "range = [\"64KB\", \"1MiB\"]", "17:10: \"64KB\" in 'range' is not a size: unknown unit 'KB'"},
      {"bytes", "range = [-1, \"1MiB\"]", "17:10: 'range' must be a size"},
      {"bytes", "range = [0, \"1MiB\"]\nscale = \"log\"", "0:0: "},
      {"duration", "range = [1, \"2ms\"]", "17:10: 'range' must be a duration, not a whole number (like \"500us\")"},
      {"real", "range = [\"x\", 1]", "17:11: unknown name 'x'"},
      {"boolean", "values = [true]", "17:10: a boolean has the values true and false"},
      {"boolean", "range = [0, 1]", "17:9: 'range' means nothing for type \"boolean\""},
      {"categorical", "values = [\"a\"]\nscale = \"log\"", "18:9: 'scale' means nothing"},
      {"categorical", "values = [1]", "17:11: 'values' must be a text in quotes, not a whole number"},
      {"categorical", "values = [\"a\\nb\"]", "17:11: \"a\nb\" in 'values' is not a text in quotes: it contains a control character"},
      {"cpus", "values = [\"3-1\"]", "17:11: \"3-1\" in 'values' is not a CPU list in quotes"},
      {"cpus", "", "14:1: [parameters.p] needs the key 'values'"},
  };
  for (const auto& [type, domain, message] : bad) {
    INFO(type << ": " << domain);
    const auto found = with(type, domain);
    CAPTURE(found);
    REQUIRE_FALSE(found.empty());
    if (message == "0:0: ") continue;
    CHECK_THAT(found.front(), Catch::StartsWith(message));
  }
  const auto log_zero = with("bytes", "scale = \"log\"\nrange = [0, \"1MiB\"]");
  REQUIRE(log_zero.size() == 1);
  CHECK_THAT(log_zero.front(), Catch::StartsWith("18:10: scale = \"log\" needs a range above 0"));
}

TEST_CASE("Expressions may name what they can know and nothing else") {
  check_rows({
      {"p <= cpus", "q <= cpus", "19:13", "unknown name 'q'"},
      {"p <= cpus", "1 <= cpsu", "19:18", "link_gbps; did you mean 'cpus'?"},
      {"p <= cpus", "p + cpus", "19:12", "must be true or false"},
      {"p <= cpus", "p == 'two'", "19:12", "a number is compared with a text"},
      {"p <= cpus", "p <= as_found", "19:18", "write as_found(parameter)"},
      {"p <= cpus", "p <= as_found(q)", "19:27", "unknown name 'q'"},
      {"p <= cpus", "p <= cpus)", "19:22", "')' stands"},
      {"abort_if = []", "abort_if = [\"memory > 1\"]", "25:13", "unknown metric 'memory'"},
      {"abort_if = []", "abort_if = [\"steal_percent\"]", "25:13", "must be a comparison"},
      {"abort_if = []", "abort_if = [\"qps == 'x'\"]", "25:13", "a number is compared with a text"},
      {"maximize = \"qps\"", "subject_to = [\"lost_percent <\"]", "13:30", "the expression ends"},
      {"range = [1, 4]", "range = [1, 4]\nwhen = \"p > 1\"", "14:1", "go in a circle: p -> p"},
      {"range = [1, 4]", "range = [1, 4]\nwhen = \"cpus\"", "18:8", "must be true or false"},
      {"range = [1, 4]", "range = [1, 4]\nwith = { \"sysctl.x\" = \"p\" }", "18:10", "'sysctl.x' is not supported yet"},
      {"range = [1, 4]", "range = [1, 4]\nwith = { \"sysctl.net.core.rmem_max\" = \"p * x\" }", "18:44", "unknown name 'x'"},
      {"range = [1, 4]", "range = [1, 4]\nwith = { \"server.processes\" = 2 }", "18:10", "already changed by the parameter 'p'"},
  });
  CHECK(messages(replaced(kBase, "range = [1, 4]", "range = [1, 4]\nwith = { \"sysctl.net.core.rmem_max\" = \"max(as_found, p * 4096)\" }"))
            .empty());
}

TEST_CASE("Parameters have names that expressions can use, and do not tread on each other") {
  const std::string free = replaced(kBase, "\"p <= cpus\"", "");
  CHECK(messages(replaced(free, "[parameters.p]", "[parameters.p-1]")) ==
        std::vector<std::string>{"14:13: 'p-1' cannot name a parameter: a letter, then letters, digits and '_'"});
  CHECK(messages(replaced(free, "[parameters.p]", "[parameters.round]")) ==
        std::vector<std::string>{"14:13: 'round' cannot name a parameter: it is a word of the expressions"});
  CHECK(messages(
            replaced(free, "[parameters.p]", "[parameters.p]\nsets = \"server.cores\"\ntype = \"integer\"\nrange = [1, 2]\n[parameters.q]"))
            .empty());
  CHECK(messages(replaced(free, "[parameters.p]",
                          "[parameters.p]\nsets = \"server.processes\"\ntype = \"integer\"\nrange = [1, 2]\n[parameters.q]")) ==
        std::vector<std::string>{"19:8: 'server.processes' is already changed by the parameter 'p' (line 14)"});
}

TEST_CASE("Conditions that go in a circle are found once") {
  const std::string two = replaced(kBase, "range = [1, 4]",
                                   "range = [1, 4]\nwhen = \"q > 1\"\n"
                                   "[parameters.q]\nsets = \"server.cores\"\ntype = \"integer\"\nrange = [1, 4]\nwhen = \"p > 1\"");
  CHECK(messages(two) == std::vector<std::string>{"14:1: the conditions of parameters go in a circle: p -> q -> p"});
}

TEST_CASE("The start of a search names parameters and values that exist") {
  check_rows({
      {"strategy = \"random\"", "start = [{ q = 1 }]", "21:12", "'start' names the unknown parameter 'q'"},
      {"strategy = \"random\"", "start = [{ p = 9 }]", "21:16", "9 is not a value of the parameter 'p'"},
      {"strategy = \"random\"", "start = [{ p = \"two\" }]", "21:16", "'p' must be a whole number"},
      {"strategy = \"random\"", "start = [1]", "21:10", "an item of 'start' must be a table"},
      {"strategy = \"random\"", "start = { p = 1 }", "21:9", "'start' must be a list of tables"},
  });
}

TEST_CASE("Five mistakes are five diagnostics in the order of the file") {
  std::string text = replaced(kBase, "trials = 40", "trials = -1");
  text = replaced(text, "port = 5300", "prot = 5300");
  text = replaced(text, "range = [1, 4]", "range = [4, 1]");
  text = replaced(text, "measure = \"2s\"", "measure = 2");
  text = replaced(text, "maximize = \"qps\"", "maximize = \"speed\"");
  const auto found = messages(text);
  REQUIRE(found.size() == 5);
  CHECK_THAT(found[0], Catch::StartsWith("7:1: unknown key 'prot'"));
  CHECK_THAT(found[1], Catch::StartsWith("11:11: 'measure' must be a text"));
  CHECK_THAT(found[2], Catch::StartsWith("13:12: unknown metric 'speed'"));
  CHECK_THAT(found[3], Catch::StartsWith("17:9: the range is empty"));
  CHECK_THAT(found[4], Catch::StartsWith("23:10: 'trials' must be between"));
}

TEST_CASE("Nonsense instead of a file is refused") {
  CHECK_FALSE(messages("").empty());
  CHECK_FALSE(messages("\xff\xfe\x00").empty());
  CHECK_FALSE(messages("name = ").empty());
  CHECK(messages(std::string(2'000'000, '#')) ==
        std::vector<std::string>{"0:0: the file is larger than 1 MiB: it is not an experiment file"});
  CHECK_FALSE(messages("a = " + std::string(100'000, '[')).empty());
  std::string many = kBase;
  for (int i = 0; i < 300; ++i) many += fmt::format("[parameters.x{}]\n", i);
  CHECK(messages(many).front() == "14:1: more than 200 parameters");
}

TEST_CASE("Every truncation of a file is refused or understood, never fatal") {
  for (std::size_t size = 0; size < kBase.size(); size += 3) messages(kBase.substr(0, size));
  CHECK_FALSE(messages(kBase.substr(0, kBase.size() / 2)).empty());
}

TEST_CASE("A diagnostic is one line with file, line and column") {
  CHECK(to_text(Diagnostic{"a.toml", 3, 7, "wrong"}) == "a.toml:3:7: wrong");
  CHECK(to_text(Diagnostic{"a.toml", 0, 0, "wrong"}) == "a.toml: wrong");
}

TEST_CASE("A mistake in --set names the option") {
  CHECK(messages(kBase, {{"budget.trials", "many"}}) ==
        std::vector<std::string>{"0:0: --set budget.trials=many: 'trials' must be a whole number, not a text (like trials = 1)"});
  CHECK_THAT(messages(kBase, {{"budget.trails", "3"}}).front(), Catch::Contains("--set budget.trails=3: unknown key 'trails'"));
  CHECK_THAT(messages(kBase, {{"study.name.x", "3"}}).front(), Catch::Contains("'name' is not a table"));
  CHECK_THAT(messages(kBase, {{"bud get", "3"}}).front(), Catch::Contains("must be like trial.measure"));
  CHECK_THAT(messages(kBase, {{"budget..trials", "3"}}).front(), Catch::Contains("must be like trial.measure"));
  CHECK_FALSE(parse_override("budget.trials"));
  CHECK_FALSE(parse_override("=3"));
  CHECK_FALSE(parse_override("study.name=a\nb"));
}
