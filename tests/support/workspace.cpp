#include "tests/support/workspace.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

namespace netsettle::tests {
namespace {

std::string read_all(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void add_tree(const std::filesystem::path& root, std::map<std::string, std::string>& state) {
  std::error_code error;
  for (auto entry = std::filesystem::recursive_directory_iterator(root, error);
       !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error))
    if (entry->is_regular_file()) state[entry->path()] = read_all(entry->path());
}

/// Values that move by themselves.
bool is_alive(const std::string& path) {
  return path.ends_with("/route/flush") || path.find("/neigh/") != std::string::npos ||
         path.find("nf_conntrack_count") != std::string::npos;
}

}  // namespace

Workspace::Workspace() : host_(runners::make_local_host()) {
  environment["NETSETTLE_RUN_DIR"] = path("run");
  environment["NETSETTLE_STATE_DIR"] = path("state");
}

void Workspace::write(const std::string& name, const std::string& text) const { std::ofstream(path(name), std::ios::binary) << text; }

std::string Workspace::read(const std::string& name) const { return read_all(path(name)); }

runners::ProcessSpec Workspace::spec(const std::vector<std::string>& argv) const {
  runners::ProcessSpec spec;
  // The programs run in the workspace's folder, where they keep the record.
  spec.argv = {"/usr/bin/env", "-C", folder_.path().string()};
  spec.argv.insert(spec.argv.end(), argv.begin(), argv.end());
  spec.environment = environment;
  return spec;
}

runners::Finished Workspace::program(const std::vector<std::string>& argv, std::chrono::seconds timeout) {
  auto finished = runners::run_program(*host_, spec(argv), timeout);
  INFO((finished ? std::string() : to_text(finished.error())));
  REQUIRE(finished.has_value());
  return std::move(*finished);
}

runners::Finished Workspace::netsettle(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {NETSETTLE_BIN_DIR "/netsettle"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return program(argv);
}

std::unique_ptr<runners::Process> Workspace::start(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {NETSETTLE_BIN_DIR "/netsettle"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  auto process = host_->start(spec(argv));
  REQUIRE(process.has_value());
  return std::move(*process);
}

std::map<std::string, std::string> network_state() {
  std::map<std::string, std::string> state;
  add_tree("/proc/sys/net", state);
  std::error_code error;
  for (const auto& interface : std::filesystem::directory_iterator("/sys/class/net", error))
    for (const auto& queue : std::filesystem::directory_iterator(interface.path() / "queues", error))
      if (std::filesystem::exists(queue.path() / "rps_cpus", error)) state[queue.path() / "rps_cpus"] = read_all(queue.path() / "rps_cpus");
  std::erase_if(state, [](const auto& item) { return is_alive(item.first); });
  return state;
}

std::vector<std::string> netsettle_namespaces() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/run/netns", error))
    if (const std::string name = entry.path().filename(); name.starts_with("netsettle-")) names.push_back(name);
  return names;
}

}  // namespace netsettle::tests
