#include "tuner/bundle/bundle.hpp"

#include "tuner/bundle/plan.hpp"

namespace netsettle::tuner {

Expected<std::map<std::string, std::string>> render_bundle(const BundleInput& input) {
  NETSETTLE_ASSIGN(const BundlePlan plan, plan_bundle(input));
  NETSETTLE_ASSIGN(std::string manifest, manifest_json(input, plan));
  std::map<std::string, std::string> files = {
      {"99-zz-netsettle-" + plan.slug + ".conf", sysctl_conf(input, plan)},
      {"apply.sh", apply_script(input, plan)},
      {"revert.sh", revert_script(plan)},
      {"manifest.json", std::move(manifest)},
      {"README.md", readme(input, plan)},
  };
  if (needs_script(plan)) files[unit_name(plan)] = unit(input, plan);
  if (plan.keeps_irqbalance_away) files["irqbalance-policy.sh"] = policy_script(plan);
  return files;
}

}  // namespace netsettle::tuner
