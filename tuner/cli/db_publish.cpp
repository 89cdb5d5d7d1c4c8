#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "datasets/model/configuration.hpp"
#include "datasets/store/care.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/hosts/personal_words.hpp"
#include "runners/hosts/tree_archive.hpp"
#include "runners/topology/host_facts.hpp"
#include "tuner/cli/db.hpp"
#include "tuner/loop/study.hpp"

namespace netsettle::tuner {
namespace {

constexpr std::string_view kReadme = R"(A study of netsettle, to be looked at by others.

  record.netsettle.db   every trial with its settings, numbers and raw output, and every decision (an SQLite file, docs/database.md)
  experiment.toml       the experiment file, and beside it the file of its queries, where it was at hand

  netsettle show best --db record.netsettle.db
  netsettle report --db record.netsettle.db

Host names, addresses, hardware addresses, serial numbers, user names and what was below home folders have other names: the same one
everywhere. 198.18.0.0/15, 2001:db8::/32 and 02:00:00:… are such addresses.
)";

/// What is handed out, and what a person should know about it.
struct Publication {
  runners::FileTree files;
  std::vector<std::string> notes;
  std::map<std::string, std::size_t> replaced;
};

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// "ssh:alice@lab-client" names a user and a host.
void add_machine(PersonalWords& words, const std::string& machine) {
  if (!machine.starts_with("ssh:")) return;
  const std::string target = machine.substr(4);
  const auto at = target.find('@');
  if (at != std::string::npos) words.users.insert(target.substr(0, at));
  words.hosts.insert(at == std::string::npos ? target : target.substr(at + 1));
}

PersonalWords words_of(const datasets::StudyRecord& study, const std::optional<Experiment>& experiment, const CommandLine& line) {
  PersonalWords words = runners::personal_words(*runners::make_local_host());
  words.texts.emplace_back(study.spec_file, "experiment.toml");
  for (const std::string& word : line.texts("hide")) words.hosts.insert(word);
  if (!experiment) return words;
  add_machine(words, experiment->rig.server.host);
  add_machine(words, experiment->rig.client.host);
  words.texts.emplace_back(experiment->load.queries, std::filesystem::path(experiment->load.queries).filename().string());
  return words;
}

/// The query file as the study used it; absent, with a note, where it is gone or another one by now.
void add_queries(const datasets::StudyRecord& study, const Experiment& experiment, Pseudonyms& pseudonyms, Publication& publication) {
  if (experiment.load.queries.empty()) return;
  const std::filesystem::path file = experiment.load.queries;
  const auto text = read_file(file);
  const auto facts = runners::facts_from_json(study.host_facts_json);
  const auto known = facts.find("query_file_sha256");
  if (!text) {
    publication.notes.push_back(fmt::format("The query file {} is not there any more: it is left out.", file.string()));
  } else if (known != facts.end() && known->second != sha256_hex(*text)) {
    publication.notes.push_back(fmt::format("The query file {} is not the one of the study any more: it is left out.", file.string()));
  } else {
    std::string other = pseudonyms.apply(*text);
    if (other != *text) publication.notes.push_back("The query file had personal details in it: they have other names there too.");
    publication.files["/" + file.filename().string()] = runners::TreeFile{std::move(other)};
  }
}

/// The copy lies beside the archive while it is made.
Expected<std::string> scrubbed_record(const std::string& record, const std::filesystem::path& archive, Pseudonyms& pseudonyms) {
  const std::filesystem::path copy = archive.string() + ".db";
  NETSETTLE_TRY(datasets::write_publishable_copy(record, copy, pseudonyms));
  auto bytes = read_file(copy);
  std::error_code ignored;
  std::filesystem::remove(copy, ignored);
  if (!bytes) return fail(ErrorCode::io, copy.string(), "cannot be read back");
  return *std::move(bytes);
}

Expected<Publication> prepare(const std::string& record, const std::filesystem::path& archive, const CommandLine& line) {
  NETSETTLE_ASSIGN(const auto store, datasets::Store::open_reader(record));
  NETSETTLE_ASSIGN(const auto study, store.study());
  auto parsed = recorded_experiment(study);
  const auto experiment = parsed ? std::optional(std::move(*parsed)) : std::nullopt;
  Pseudonyms pseudonyms(words_of(study, experiment, line));
  Publication publication;
  NETSETTLE_ASSIGN(std::string database, scrubbed_record(record, archive, pseudonyms));
  publication.files["/record.netsettle.db"] = runners::TreeFile{std::move(database)};
  publication.files["/experiment.toml"] = runners::TreeFile{pseudonyms.apply(study.spec_text)};
  publication.files["/README.txt"] = runners::TreeFile{std::string(kReadme)};
  if (experiment && !line.has("without-queries")) add_queries(study, *experiment, pseudonyms, publication);
  for (const std::string& word : pseudonyms.left_alone())
    publication.notes.push_back(fmt::format("The name '{}' is a word of every record too: it is left as it is.", word));
  publication.replaced = pseudonyms.counts();
  return publication;
}

Expected<void> write_new(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << bytes;
  out.close();
  if (out) return {};
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return fail(ErrorCode::io, file.string(), "cannot be written");
}

void print(const std::string& archive, std::size_t bytes, const Publication& publication) {
  fmt::print("{}: {}\n", archive, size_text(static_cast<std::int64_t>(bytes)));
  for (const auto& [path, node] : publication.files) fmt::print("  {}\n", path.substr(1));
  for (const auto& [kind, count] : publication.replaced) fmt::print("Replaced: {} ({})\n", kind, count);
  for (const std::string& sentence : publication.notes) fmt::print("Note: {}\n", sentence);
  fmt::print("The names of queries, of the study and of its parameters are as they were. Look at it before you hand it out.\n");
}

}  // namespace

int run_db_publish(const Arguments& arguments) {
  CommandLine line(
      "db publish FILE -o ARCHIVE.tar.zst [--hide WORD]… [--without-queries] [--json]",
      "Writes an archive that can be handed out: the record, the experiment file and the query file. Host names, addresses, hardware "
      "addresses, serial numbers, user names and paths below home folders get other names, the same one everywhere.",
      "netsettle db publish quickstart.netsettle.db -o quickstart.tar.zst --hide acme");
  line.positional("file", 1);
  line.add()("output,o", boost::program_options::value<std::string>(), "the archive to make")(
      "hide", boost::program_options::value<std::vector<std::string>>(), "another name to replace; may be given more than once")(
      "without-queries", "leave the query file out")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (!line.has("file") || !line.has("output"))
    return print_error({ErrorCode::invalid_input, "db publish", "takes a record and -o with the name of the archive to make"});
  const std::string archive = line.text("output");
  if (std::filesystem::exists(archive)) return print_error({ErrorCode::conflict, archive, "exists already: choose another name"});
  const auto publication = prepare(line.text("file"), archive, line);
  if (!publication) return print_error(publication.error());
  const auto bytes = runners::make_tree_archive(publication->files);
  if (!bytes) return print_error(bytes.error());
  const auto written = write_new(archive, *bytes);
  if (!written) return print_error(written.error());
  if (!line.has("json")) {
    print(archive, bytes->size(), *publication);
    return kDone;
  }
  std::vector<std::string> files;
  for (const auto& [path, node] : publication->files) files.push_back(path.substr(1));
  fmt::print("{}\n", nlohmann::ordered_json({{"archive", archive},
                                             {"bytes", bytes->size()},
                                             {"files", files},
                                             {"replaced", publication->replaced},
                                             {"notes", publication->notes}})
                         .dump(2));
  return kDone;
}

}  // namespace netsettle::tuner
