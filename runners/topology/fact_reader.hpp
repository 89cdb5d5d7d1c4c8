#pragma once
// Collects facts of a host from files and programs. What does not exist leaves no fact. For the *_facts.cpp files of this folder.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/topology/host_facts.hpp"

namespace netsettle::runners {

/// First line that is not blank, without white space around it.
std::string first_line(std::string_view text);
/// Lines of a text, without their ends.
std::vector<std::string> lines_of(std::string_view text);
/// The value behind "name : value" or "name=value" in the first line with that name.
std::optional<std::string> field_of(std::string_view text, std::string_view name, char separator = ':');

class FactReader {
 public:
  FactReader(Host& host, HostFacts& facts) : host_(host), facts_(facts) {}

  Host& host() { return host_; }
  /// Notes a fact; an empty text is none, and what is no printable ASCII becomes "?".
  void note(const std::string& name, std::string text);
  std::optional<std::string> text(const std::string& path);
  /// The first line of a file.
  std::optional<std::string> line(const std::string& path);
  void note_line(const std::string& name, const std::string& path);
  /// Of "always [madvise] never": what is in brackets, or the whole line where there are none.
  void note_choice(const std::string& name, const std::string& path);
  /// SHA-256 of something long.
  void note_hash(const std::string& name, std::string_view text);
  /// Standard output of a program that ended well within two seconds.
  std::optional<std::string> output(const std::vector<std::string>& argv);
  std::vector<std::string> names_in(const std::string& folder);

 private:
  Host& host_;
  HostFacts& facts_;
};

void add_processor_facts(FactReader& reader, const Topology& topology);
void add_kernel_facts(FactReader& reader);
void add_sysctl_facts(FactReader& reader);
void add_network_facts(FactReader& reader);
void add_surroundings(FactReader& reader);

}  // namespace netsettle::runners
