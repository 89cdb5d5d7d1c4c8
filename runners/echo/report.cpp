#include "runners/echo/report.hpp"

#include <nlohmann/json.hpp>

namespace netsettle::runners {

std::string to_json(const EchoReport& report) {
  using Json = nlohmann::ordered_json;
  Json workers = Json::array();
  for (const EchoWorkerReport& worker : report.workers)
    workers.push_back({{"process", worker.process},
                       {"thread", 0},
                       {"pid", worker.pid},
                       {"cpus", worker.cpus},
                       {"received", worker.received},
                       {"answered", worker.answered},
                       {"malformed", worker.malformed},
                       {"not_queries", worker.not_queries},
                       {"errors", worker.errors}});
  const Json json = {{"workers", std::move(workers)},
                     {"cpu_seconds", report.cpu_seconds},
                     {"receive_buffer", report.receive_buffer},
                     {"send_buffer", report.send_buffer},
                     {"unpinned", report.unpinned}};
  return json.dump();
}

}  // namespace netsettle::runners
