#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "datasets/store/care.hpp"
#include "tuner/cli/db.hpp"

namespace netsettle::tuner {

int run_db_backup(const Arguments& arguments) {
  CommandLine line("db backup FILE OUT [--json]",
                   "Copies a record as it is at this moment, also while its study runs. OUT is a whole record: one file, made durable.",
                   "netsettle db backup quickstart.netsettle.db monday.netsettle.db");
  line.positional("files", -1);
  line.add()("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto files = line.texts("files");
  if (files.size() != 2) return print_error({ErrorCode::invalid_input, "db backup", "takes two names: the record and the copy to make"});
  const auto bytes = datasets::backup_record(files[0], files[1]);
  if (!bytes) return print_error(bytes.error());
  if (line.has("json"))
    fmt::print("{}\n", nlohmann::json({{"record", files[0]}, {"copy", files[1]}, {"bytes", *bytes}}).dump(2));
  else
    fmt::print("{}: {}, a copy of {}\n", files[1], size_text(*bytes), files[0]);
  return kDone;
}

}  // namespace netsettle::tuner
