#include "tuner/cli/machine_json.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;
using runners::MachineView;
using runners::Nic;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// {0: …} → {"0": …}: the keys of JSON are texts.
template <typename Value>
Json by_number(const std::map<int, Value>& values) {
  Json object = Json::object();
  for (const auto& [number, value] : values) object[std::to_string(number)] = value;
  return object;
}

Json cpus_json(const runners::CpuSurvey& cpus) {
  return {{"possible", or_null(cpus.possible)},   {"online", cpus.online},          {"isolated", or_null(cpus.isolated)},
          {"nohz_full", or_null(cpus.nohz_full)}, {"cpuset", or_null(cpus.cpuset)}, {"allowed", cpus.allowed}};
}

Json nodes_json(const MachineView& view) {
  Json nodes = Json::object();
  for (const auto& [node, cpus] : view.nodes)
    nodes[std::to_string(node)] = {
        {"cpus", cpus}, {"online_cpus", runners::intersection(cpus, view.cpus.online)}, {"memory_only", cpus.empty()}};
  return nodes;
}

Json queue_irqs_json(const Nic& nic) {
  Json list = Json::array();
  for (const auto& irq : nic.irqs.queues) {
    Json item = {{"irq", irq.irq}, {"queue", or_null(irq.queue)}, {"direction", to_text(irq.direction)}, {"action", irq.action}};
    if (irq.interface) item["interface"] = *irq.interface;
    list.push_back(std::move(item));
  }
  return list;
}

Json other_irqs_json(const Nic& nic) {
  Json list = Json::array();
  for (const auto& irq : nic.irqs.others) list.push_back({{"irq", irq.irq}, {"action", irq.action}});
  return list;
}

/// Fields that only some interfaces have.
void add_where_it_applies(Json& json, const Nic& nic) {
  if (nic.device.device.empty() || !nic.device.lower.empty()) {
    json["lower"] = nic.device.lower;
    json["leaf_devices"] = nic.leaf_devices;
  }
  if (nic.leaf_cpus) json["local_cpus_of_leaf_devices"] = *nic.leaf_cpus;
  if (nic.dev_port) json["dev_port"] = *nic.dev_port;
  if (!nic.shared_with.empty()) json["shared_with"] = nic.shared_with;
  if (!nic.irqs.shared_actions.empty()) json["shared_actions"] = nic.irqs.shared_actions;
  if (!nic.channel_cpus.empty()) json["channel_cpus"] = by_number(nic.channel_cpus);
  if (!nic.rps_cpus.empty()) {
    std::map<int, CpuSet> used = nic.rps_cpus;
    std::erase_if(used, [](const auto& queue) { return queue.second.empty(); });
    json["rps_cpus"] = by_number(used);
  }
  if (!nic.rps_flow_cnt.empty()) json["rps_flow_cnt"] = by_number(nic.rps_flow_cnt);
  if (!nic.xps_cpus.empty()) json["xps_cpus"] = by_number(nic.xps_cpus);
  if (nic.threaded) json["threaded"] = *nic.threaded;
  if (!nic.problems.empty()) json["problems"] = nic.problems;
}

Json interface_json(const Nic& nic, const CpuSet& online) {
  Json json = {{"driver", or_null(nic.device.driver)},
               {"kind", to_text(nic.device.kind)},
               {"pci", or_null(nic.device.pci)},
               {"rx_queues", nic.rx_queues},
               {"tx_queues", nic.tx_queues},
               {"queue_irqs", queue_irqs_json(nic)},
               {"other_irqs", other_irqs_json(nic)},
               {"evidence", to_text(nic.irqs.evidence)},
               {"numa_node_file", or_null(nic.node_file)},
               {"numa_node", or_null(nic.node)},
               {"numa_source", to_text(nic.node_source)},
               {"local_cpus", or_null(nic.local_cpus)},
               {"local_online_cpus", nic.local_cpus ? Json(runners::intersection(*nic.local_cpus, online)) : Json(nullptr)},
               {"placement_cpus", nic.placement_cpus}};
  if (nic.placement_fallback) json["placement_fallback"] = true;
  add_where_it_applies(json, nic);
  return json;
}

Json softnet_json(const MachineView& view) {
  if (view.softnet.empty()) return nullptr;
  Json rows = Json::array();
  for (const auto& row : view.softnet)
    rows.push_back({{"cpu", row.cpu},
                    {"processed", row.processed},
                    {"dropped", row.dropped},
                    {"time_squeeze", row.time_squeeze},
                    {"received_rps", or_null(row.received_rps)}});
  return {{"columns", view.softnet.front().columns}, {"cpus", std::move(rows)}};
}

}  // namespace

nlohmann::ordered_json machine_json(const MachineView& view, const std::optional<std::string>& interface) {
  Json interfaces = Json::object();
  for (const auto& [name, nic] : view.interfaces)
    if (!interface || *interface == name) interfaces[name] = interface_json(nic, view.cpus.online);
  Json counts = Json::object();
  for (const auto& [irq, by_cpu] : view.interrupts) counts[std::to_string(irq)] = by_number(by_cpu);
  Json json = {{"kernel", or_null(view.kernel)}, {"cpus", cpus_json(view.cpus)}};
  if (view.cpus.affinity) json["self_affinity"] = *view.cpus.affinity;
  json["nodes"] = nodes_json(view);
  json["interfaces"] = std::move(interfaces);
  json["softnet"] = softnet_json(view);
  json["interrupt_counts"] = std::move(counts);
  Json affinity = Json::object();
  for (const auto& [irq, cpus] : view.affinity)
    affinity[std::to_string(irq)] = {{"asked", or_null(cpus.asked)}, {"effective", or_null(cpus.effective)}};
  json["interrupt_cpus"] = std::move(affinity);
  json["net_core"] = view.net_core;
  if (!view.problems.empty()) json["problems"] = view.problems;
  return json;
}

}  // namespace netsettle::tuner
