#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "datasets/store/care.hpp"
#include "runners/topology/host_facts.hpp"
#include "tuner/cli/db.hpp"

namespace netsettle::tuner {
namespace {

/// What keeps two records from being one: what a study that is continued may not differ in either.
std::vector<std::string> differences(const datasets::StudyRecord& a, const datasets::StudyRecord& b) {
  std::vector<std::string> found;
  if (a.spec_hash != b.spec_hash) found.push_back(fmt::format("the experiment (study {}, study {})", a.name, b.name));
  if (a.space_hash != b.space_hash) found.push_back("the search space that the machine's facts gave");
  if (a.workload_hash != b.workload_hash) found.push_back("the workload (query file or [load])");
  const auto facts_a = runners::facts_from_json(a.host_facts_json);
  const auto facts_b = runners::facts_from_json(b.host_facts_json);
  if (a.host_fingerprint != b.host_fingerprint)
    found.push_back("the machine: " + runners::to_text(runners::changed_facts(facts_a, facts_b, runners::FactRole::identity)));
  const auto server_a = facts_a.find("server_sha256"), server_b = facts_b.find("server_sha256");
  if (server_a != facts_a.end() && server_b != facts_b.end() && server_a->second != server_b->second)
    found.push_back("the build of the echo server");
  for (const auto& [setting, value] : a.as_found) {
    const auto other = b.as_found.find(setting);
    if (other != b.as_found.end() && to_text(other->second) != to_text(value))
      found.push_back(fmt::format("{} as found, {} and {}", setting, to_text(value), to_text(other->second)));
  }
  return found;
}

Expected<void> check_same_study(const std::string& first, const std::string& second) {
  NETSETTLE_ASSIGN(const auto first_store, datasets::Store::open_reader(first));
  NETSETTLE_ASSIGN(const auto second_store, datasets::Store::open_reader(second));
  NETSETTLE_ASSIGN(const auto a, first_store.study());
  NETSETTLE_ASSIGN(const auto b, second_store.study());
  const auto found = differences(a, b);
  if (found.empty()) return {};
  return fail(ErrorCode::mismatch, fmt::format("{} and {}", first, second),
              fmt::format("are no records of one study; different are: {}", fmt::join(found, "; ")));
}

void print(const std::vector<std::string>& files, const std::string& out, const datasets::MergedRecords& merged) {
  fmt::print("{}: {} trials of {}, {} of {}", out, merged.first.trials, files[0], merged.second.trials, files[1]);
  if (merged.second.known > 0) fmt::print("; {} that both have are there once", merged.second.known);
  fmt::print(
      ".\nEach trial says where it is from. Verdicts were made on the trials of one record and stay there;\n"
      "'netsettle run --db {}' goes on with all of them as information and confirms with fresh trials.\n",
      out);
}

}  // namespace

int run_db_merge(const Arguments& arguments) {
  CommandLine line(
      "db merge A B -o OUT [--json]",
      "Makes one record out of two of the same experiment, search space, workload and machine (else exit code 6). Trials get new "
      "numbers and say where they are from; A and B stay as they are.",
      "netsettle db merge monday.netsettle.db tuesday.netsettle.db -o both.netsettle.db");
  line.positional("files", -1);
  line.add()("output,o", boost::program_options::value<std::string>(), "the record to make")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto files = line.texts("files");
  if (files.size() != 2 || !line.has("output"))
    return print_error({ErrorCode::invalid_input, "db merge", "takes two records and -o with the name of the record to make"});
  const auto same = check_same_study(files[0], files[1]);
  if (!same) return print_error(same.error());
  const std::string out = line.text("output");
  const auto merged = datasets::merge_records(files[0], files[1], out);
  if (!merged) return print_error(merged.error());
  if (line.has("json"))
    fmt::print("{}\n", nlohmann::ordered_json({{"record", out},
                                               {"first", {{"record", files[0]}, {"trials", merged->first.trials}}},
                                               {"second", {{"record", files[1]}, {"trials", merged->second.trials}}},
                                               {"in_both", merged->first.known + merged->second.known}})
                           .dump(2));
  else
    print(files, out, *merged);
  return kDone;
}

}  // namespace netsettle::tuner
