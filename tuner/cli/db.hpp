#pragma once
// The commands below `netsettle db`: one file each (db_backup.cpp, …); the list is in db.cpp.

#include "tuner/cli/command.hpp"

namespace netsettle::tuner {

int run_db_check(const Arguments& arguments);
int run_db_backup(const Arguments& arguments);
int run_db_merge(const Arguments& arguments);
int run_db_prune(const Arguments& arguments);
int run_db_publish(const Arguments& arguments);
int run_db_export(const Arguments& arguments);
int run_db_import(const Arguments& arguments);

/// "17.5 MiB", "3.1 KiB".
std::string size_text(std::int64_t bytes);

}  // namespace netsettle::tuner
