#pragma once
// The text of the *.sh.in files of this folder; templates.cpp is made from them when the build is configured. Private to tuner/bundle.

#include <string_view>

namespace netsettle::tuner {

extern const std::string_view kApplyTemplate;
extern const std::string_view kRevertTemplate;
extern const std::string_view kLibraryTemplate;
extern const std::string_view kPolicyTemplate;

}  // namespace netsettle::tuner
