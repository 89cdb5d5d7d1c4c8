#pragma once
// The commands below `netsettle db`: one file each (db_backup.cpp, …); the list is in db.cpp.

#include "tuner/cli/command.hpp"

namespace netsettle::tuner {

int run_db_backup(const Arguments& arguments);

}  // namespace netsettle::tuner
