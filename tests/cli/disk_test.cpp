// A full disk: a clear error, the machine given back, nothing lost.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

/// A small file system of its own, with a file that can fill it.
class SmallDisk {
 public:
  SmallDisk(Workspace& here, const std::string& size) : here_(here), folder_(here.path("disk")) {
    std::filesystem::create_directory(folder_);
    REQUIRE(here_.program({"mount", "-t", "tmpfs", "-o", "size=" + size, "netsettle-test", folder_.string()}).status.code == 0);
  }
  ~SmallDisk() { here_.program({"umount", "-l", folder_.string()}); }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  void fill() { here_.program({"dd", "if=/dev/zero", "of=" + (folder_ / "ballast").string(), "bs=64k"}); }
  void make_room() { std::filesystem::remove(folder_ / "ballast"); }

 private:
  Workspace& here_;
  std::filesystem::path folder_;
};

}  // namespace

TEST_CASE("a disk without room for the record is refused before anything is touched") {
  Workspace here;
  SmallDisk disk(here, "1m");
  here.write("study.toml", short_study("norecord", 20));
  const auto before = network_state();
  const auto run = here.netsettle({"run", "study.toml", "--db", "disk/study.netsettle.db"});
  INFO(run.standard_error);
  CHECK(run.status.code == 3);
  CHECK(run.standard_error.find("space") != std::string::npos);
  CHECK(network_state() == before);
  CHECK(netsettle_namespaces().empty());
}

TEST_CASE("a disk that fills up in the middle pauses the study, and it goes on when there is room") {
  Workspace here;
  SmallDisk disk(here, "24m");
  here.write("study.toml", short_study("fills", 20));
  const std::vector<std::string> command = {"run", "study.toml", "--db", "disk/study.netsettle.db"};
  const auto count = [&] {
    if (!std::filesystem::exists(here.path("disk/study.netsettle.db"))) return std::size_t{0};
    const auto shown = here.netsettle({"show", "trials", "--json", "--db", "disk/study.netsettle.db"});
    if (shown.status.code != 0) return std::size_t{0};
    std::size_t ended = 0;
    const auto document = nlohmann::json::parse(shown.standard_output);
    for (const auto& trial : document.at("trials")) ended += trial.at("state") == "done";
    return ended;
  };
  const auto before = network_state();
  auto process = here.start(command);
  REQUIRE(eventually([&] { return count() >= 3; }, std::chrono::seconds(60)));
  disk.fill();
  const auto recorded = count();
  const auto status = process->wait(std::chrono::seconds(90));
  REQUIRE(status.has_value());
  INFO(process->standard_output() << process->standard_error());
  CHECK(status->code == 5);
  CHECK(count() >= recorded);
  CHECK(network_state() == before);
  disk.make_room();
  CHECK(here.netsettle(command).status.code == 0);
  CHECK(count() >= 12);  // a study of 20 trials keeps some for repeats
  CHECK(network_state() == before);
}
