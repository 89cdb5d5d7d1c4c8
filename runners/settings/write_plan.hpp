#pragma once
// What a configuration would write, in order. Reads only.

#include <map>
#include <string>
#include <vector>

#include "runners/settings/catalogue.hpp"

namespace netsettle::runners {

struct PlannedWrite {
  std::string setting;
  std::string path;
  std::string netns;     // "" : the one netsettle was started in
  std::string from, to;  // canonical texts; equal where nothing is to be written
};

struct WritePlan {
  std::vector<PlannedWrite> writes;  // in the order in which they would happen; without those of queues that channels take away before
  Errors problems;                   // one for each setting that cannot be planned here, with its name as subject
};

/// `wanted`: setting → value.
WritePlan plan_writes(const SettingContext& context, const std::map<std::string, std::string>& wanted);

}  // namespace netsettle::runners
