#include "runners/hosts/personal_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

namespace netsettle::runners {

namespace {

constexpr int kFirstUser = 1000, kNobody = 65534;  // login.defs(5): accounts of people
constexpr std::size_t kShortestSerial = 5;         // "0", "None", "N/A": no serial numbers

std::string first_line(Host& host, const std::string& path) {
  const auto text = host.read_file(path);
  if (!text) return {};
  std::string line = text->substr(0, text->find('\n'));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\0')) line.pop_back();
  return line;
}

void add_host(PersonalWords& words, const std::string& name) {
  if (name.empty() || name.starts_with("localhost") || name.starts_with("ip6-")) return;
  words.hosts.insert(name);
  if (const auto dot = name.find('.'); dot != std::string::npos) words.hosts.insert(name.substr(0, dot));
}

/// Every name but those of addresses that all machines have is of this site.
void add_hosts_file(Host& host, PersonalWords& words) {
  const auto text = host.read_file("/etc/hosts");
  if (!text) return;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line.substr(0, line.find('#')));
    std::string address, name;
    fields >> address;
    while (fields >> name) add_host(words, name);
  }
}

void add_users(Host& host, PersonalWords& words) {
  const auto text = host.read_file("/etc/passwd");
  if (!text) return;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::array<std::string, 6> field;
    for (std::string& part : field) std::getline(fields, part, ':');
    int id = 0;
    std::from_chars(field[2].data(), field[2].data() + field[2].size(), id);
    if (id >= kFirstUser && id != kNobody) words.users.insert(field[0]);
    if (id == 0 || (id >= kFirstUser && id != kNobody)) words.homes.insert(field[5]);
  }
  words.homes.erase("/");
  words.homes.erase("");
}

void add_serials(Host& host, PersonalWords& words) {
  for (const char* path : {"/sys/class/dmi/id/product_serial", "/sys/class/dmi/id/product_uuid", "/sys/class/dmi/id/board_serial",
                           "/sys/class/dmi/id/chassis_serial", "/sys/class/dmi/id/board_asset_tag", "/sys/class/dmi/id/chassis_asset_tag",
                           "/sys/class/dmi/id/product_sku", "/etc/machine-id", "/var/lib/dbus/machine-id"})
    if (const std::string serial = first_line(host, path);
        serial.size() >= kShortestSerial && std::ranges::any_of(serial, [](unsigned char c) { return std::isdigit(c) != 0; }))
      words.serials.insert(serial);
}

}  // namespace

PersonalWords personal_words(Host& host) {
  PersonalWords words;
  add_host(words, first_line(host, "/proc/sys/kernel/hostname"));
  add_host(words, first_line(host, "/etc/hostname"));
  if (const std::string domain = first_line(host, "/proc/sys/kernel/domainname"); domain != "(none)") add_host(words, domain);
  add_hosts_file(host, words);
  add_users(host, words);
  add_serials(host, words);
  return words;
}

}  // namespace netsettle::runners
