// What every Host promises, held against the real hosts and the fake one alike.

#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <thread>

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/hosts/recording_host.hpp"
#include "runners/hosts/ssh_host.hpp"
#include "runners/hosts/tree_archive.hpp"
#include "runners/hosts/tree_host.hpp"
#include "tests/support/fake_host.hpp"
#include "tests/support/network_namespace.hpp"
#include "tests/support/ssh_server.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using namespace netsettle::tests;
using namespace std::chrono_literals;

namespace {

/// A host with a folder in which the test may arrange files.
class Fixture {
 public:
  virtual ~Fixture() = default;
  virtual Host& host() = 0;
  virtual std::string folder() const = 0;
  virtual void make_file(const std::string& name, const std::string& content) = 0;
  virtual void make_read_only(const std::string& name) = 0;
  virtual void make_link(const std::string& name, const std::string& target) = 0;
  std::string path(const std::string& name) const { return folder() + "/" + name; }
};

class RealFixture : public Fixture {
 public:
  explicit RealFixture(std::unique_ptr<Host> host) : host_(std::move(host)) {}
  Host& host() override { return *host_; }
  std::string folder() const override { return folder_.path().string(); }
  void make_file(const std::string& name, const std::string& content) override {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name)) << content;
  }
  // Root may write any file by its mode; one of the kernel's that nobody may write serves instead.
  void make_read_only(const std::string& name) override { std::filesystem::create_symlink("/proc/sys/kernel/osrelease", path(name)); }
  void make_link(const std::string& name, const std::string& target) override {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::filesystem::create_symlink(target, path(name));
  }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<Host> host_;
};

class LocalFixture final : public RealFixture {
 public:
  LocalFixture() : RealFixture(make_local_host()) {}
};

class NamespaceFixture final : public RealFixture {
 public:
  NamespaceFixture() : NamespaceFixture(std::make_unique<NetworkNamespace>("nst-contract")) {}

 private:
  explicit NamespaceFixture(std::unique_ptr<NetworkNamespace> space)
      : RealFixture(make_namespace_host(space->name()).value()), space_(std::move(space)) {}
  std::unique_ptr<NetworkNamespace> space_;
};

/// One server for all; each fixture has a connection of its own.
class SshFixture final : public RealFixture {
 public:
  SshFixture() : RealFixture(make_ssh_host(server().destination()).value()) {}

 private:
  static SshServer& server() {
    static SshServer server;
    return server;
  }
};

class FakeFixture final : public Fixture {
 public:
  FakeFixture() {
    host_.add_program("true", FakeProgram{});
    host_.add_program("false", FakeProgram{.exit = {1, std::nullopt}});
    host_.add_program("sleep", FakeProgram{.runs_for = std::nullopt, .exits_on_signal = false});
    host_.add_program("cat", [](const ProcessSpec& spec) { return FakeProgram{.standard_output = spec.input}; });
    host_.add_program("sh", FakeProgram{.standard_output = "out\n", .standard_error = "err\n", .exit = {7, std::nullopt}});
    host_.add_program("seq", FakeProgram{.standard_output = numbers()});
  }
  Host& host() override { return host_; }
  std::string folder() const override { return "/folder"; }
  void make_file(const std::string& name, const std::string& content) override { host_.add_file(path(name), content); }
  void make_read_only(const std::string& name) override {
    host_.add_file(path(name), "1\n");
    host_.make_read_only(path(name));
  }
  void make_link(const std::string& name, const std::string& target) override { host_.add_link(path(name), target); }

 private:
  static std::string numbers() {
    std::string text;
    for (int number = 1; number <= 20000; ++number) text += fmt::format("{}\n", number);
    return text;
  }
  FakeHost host_;
};

/// Hosts that only show something: arranged first, made when they are asked for.
class ShownFixture : public Fixture {
 public:
  Host& host() override {
    if (!host_) host_ = make_host();
    return *host_;
  }
  std::string folder() const override { return "/proc/folder"; }
  void make_read_only(const std::string& name) override { make_file(name, "1\n"); }

 protected:
  virtual std::unique_ptr<Host> make_host() = 0;

 private:
  std::unique_ptr<Host> host_;
};

class MemoryTreeFixture : public ShownFixture {
 public:
  void make_file(const std::string& name, const std::string& content) override { tree_[path(name)] = TreeFile{content}; }
  void make_link(const std::string& name, const std::string& target) override { tree_[path(name)] = TreeLink{target}; }

 protected:
  std::unique_ptr<Host> make_host() override { return make_tree_host(tree_); }
  FileTree tree_;
};

class ArchiveTreeFixture final : public MemoryTreeFixture {
 protected:
  std::unique_ptr<Host> make_host() override {
    std::ofstream(folder_.file("tree.tar.zst"), std::ios::binary) << make_tree_archive(tree_).value();
    return open_tree(folder_.file("tree.tar.zst")).value();
  }

 private:
  TemporaryFolder folder_;
};

class FolderTreeFixture final : public ShownFixture {
 public:
  void make_file(const std::string& name, const std::string& content) override { std::ofstream(made(name)) << content; }
  void make_link(const std::string& name, const std::string& target) override { std::filesystem::create_symlink(target, made(name)); }

 protected:
  std::unique_ptr<Host> make_host() override { return open_tree(folder_.path().string()).value(); }

 private:
  std::filesystem::path made(const std::string& name) const {
    const std::filesystem::path whole = folder_.path().string() + path(name);
    std::filesystem::create_directories(whole.parent_path());
    return whole;
  }
  TemporaryFolder folder_;
};

class RecordingFixture final : public MemoryTreeFixture {
 protected:
  std::unique_ptr<Host> make_host() override {
    shown_ = make_tree_host(tree_);
    return std::make_unique<RecordingHost>(*shown_);
  }

 private:
  std::unique_ptr<Host> shown_;
};

}  // namespace

TEMPLATE_TEST_CASE("a host reads and replaces files", "", FakeFixture, LocalFixture, NamespaceFixture, SshFixture) {
  TestType fixture;
  Host& host = fixture.host();
  fixture.make_file("b", "212992\n");
  fixture.make_file("a", "");

  SECTION("a file is read whole") { CHECK(host.read_file(fixture.path("b")).value() == "212992\n"); }
  SECTION("a shorter text leaves nothing of the longer one") {
    REQUIRE(host.write_file(fixture.path("b"), "1"));
    CHECK(host.read_file(fixture.path("b")).value() == "1");
  }
  SECTION("writing never makes a file") {
    const auto written = host.write_file(fixture.path("new"), "1");
    REQUIRE(!written);
    CHECK(written.error().code == ErrorCode::not_found);
    CHECK(!host.read_file(fixture.path("new")));
  }
  SECTION("a file that is not there is not_found with its path and errno") {
    const auto text = host.read_file(fixture.path("missing"));
    REQUIRE(!text);
    CHECK(text.error().code == ErrorCode::not_found);
    CHECK(text.error().errno_value == ENOENT);
    CHECK(text.error().subject == fixture.path("missing"));
  }
  SECTION("a folder is listed in order") { CHECK(host.list_directory(fixture.folder()).value() == std::vector<std::string>{"a", "b"}); }
  SECTION("a folder that is not there is not_found") {
    CHECK(host.list_directory(fixture.path("missing")).error().code == ErrorCode::not_found);
  }
  SECTION("whether a file may be written is told without writing") {
    fixture.make_read_only("c");
    CHECK(host.check_writable(fixture.path("b")));
    CHECK(host.check_writable(fixture.path("c")).error().code == ErrorCode::permission_denied);
    CHECK(host.write_file(fixture.path("c"), "2").error().code == ErrorCode::permission_denied);
    CHECK(host.check_writable(fixture.path("missing")).error().code == ErrorCode::not_found);
    CHECK(host.read_file(fixture.path("b")).value() == "212992\n");
  }
}

TEMPLATE_TEST_CASE("a host shows files, folders and links", "", FakeFixture, LocalFixture, NamespaceFixture, SshFixture, MemoryTreeFixture,
                   ArchiveTreeFixture, FolderTreeFixture, RecordingFixture) {
  TestType fixture;
  fixture.make_file("b", "212992\n");
  fixture.make_file("a", "");
  fixture.make_file("devices/card/numa_node", "-1\n");
  fixture.make_link("net/eth0", "../devices/card");
  fixture.make_link("net/eth1", "eth0");
  fixture.make_link("net/lost", "../devices/nothing");
  fixture.make_link("net/inside", fixture.path("devices"));
  Host& host = fixture.host();

  SECTION("a file is read whole, also an empty one") {
    CHECK(host.read_file(fixture.path("b")).value() == "212992\n");
    CHECK(host.read_file(fixture.path("a")).value().empty());
  }
  SECTION("a file that is not there is not_found with its path and errno") {
    const auto text = host.read_file(fixture.path("missing"));
    REQUIRE(!text);
    CHECK(text.error().code == ErrorCode::not_found);
    CHECK(text.error().errno_value == ENOENT);
    CHECK(text.error().subject == fixture.path("missing"));
  }
  SECTION("a folder cannot be read, and one that is not there cannot be listed") {
    CHECK(!host.read_file(fixture.path("devices")));
    CHECK(host.list_directory(fixture.path("missing")).error().code == ErrorCode::not_found);
  }
  SECTION("a folder is listed in order, links and folders among the files") {
    CHECK(host.list_directory(fixture.folder()).value() == std::vector<std::string>{"a", "b", "devices", "net"});
    CHECK(host.list_directory(fixture.path("net")).value() == std::vector<std::string>{"eth0", "eth1", "inside", "lost"});
  }
  SECTION("links are followed, within a path and one after the other") {
    CHECK(host.read_file(fixture.path("net/eth0/numa_node")).value() == "-1\n");
    CHECK(host.read_file(fixture.path("net/eth1/numa_node")).value() == "-1\n");
    CHECK(host.list_directory(fixture.path("net/inside")).value() == std::vector<std::string>{"card"});
    CHECK(!host.read_file(fixture.path("net/lost/numa_node")));
  }
  SECTION("the real path has no links") {
    const std::string card = host.real_path(fixture.path("devices/card")).value();
    CHECK(card.ends_with("/devices/card"));
    CHECK(host.real_path(fixture.path("net/eth1")).value() == card);
    CHECK(host.real_path(fixture.path("net/inside/card/numa_node")).value() == card + "/numa_node");
    CHECK(host.real_path(fixture.path("net/lost")).error().code == ErrorCode::not_found);
    CHECK(host.real_path(fixture.path("missing")).error().code == ErrorCode::not_found);
  }
}

TEMPLATE_TEST_CASE("a host that only shows a tree changes nothing and runs nothing", "", MemoryTreeFixture, ArchiveTreeFixture,
                   FolderTreeFixture, RecordingFixture) {
  TestType fixture;
  fixture.make_file("b", "212992\n");
  Host& host = fixture.host();
  CHECK(!host.write_file(fixture.path("b"), "1"));
  CHECK(host.check_writable(fixture.path("b")).error().code == ErrorCode::permission_denied);
  CHECK(host.check_writable(fixture.path("missing")).error().code == ErrorCode::not_found);
  CHECK(host.read_file(fixture.path("b")).value() == "212992\n");
  CHECK(!host.start({.argv = {"true"}}));
  CHECK(!host.start({}));
  CHECK(!host.exchange_datagram("127.0.0.1", 9, "hello", 1ms));
}

TEMPLATE_TEST_CASE("no path and no link leads out of a tree", "", MemoryTreeFixture, ArchiveTreeFixture, FolderTreeFixture) {
  TestType fixture;
  fixture.make_file("b", "inside");
  fixture.make_link("up", "../../../../../../../../../../../../proc/folder/b");
  fixture.make_link("etc", "/etc");
  fixture.make_link("circle", "circle");
  Host& host = fixture.host();
  CHECK(host.read_file(fixture.path("up")).value() == "inside");
  CHECK(host.read_file("/../../proc/folder/./b").value() == "inside");
  CHECK(host.read_file(fixture.path("etc/passwd")).error().code == ErrorCode::not_found);
  CHECK(host.real_path(fixture.path("circle")).error().errno_value == ELOOP);
  CHECK(!host.read_file(fixture.path("b/c")));
}

TEMPLATE_TEST_CASE("a host runs programs", "", FakeFixture, LocalFixture, NamespaceFixture, SshFixture) {
  TestType fixture;
  Host& host = fixture.host();

  SECTION("a program that ends well") {
    const auto finished = run_program(host, {.argv = {"true"}}, 10s);
    REQUIRE(finished);
    CHECK(finished->status.ok());
  }
  SECTION("exit status and both streams are kept apart") {
    const auto finished = run_program(host, {.argv = {"sh", "-c", "echo out; echo err >&2; exit 7"}}, 10s);
    REQUIRE(finished);
    CHECK(to_text(finished->status) == "exit 7");
    CHECK(finished->standard_output == "out\n");
    CHECK(finished->standard_error == "err\n");
  }
  SECTION("input is given and closed, however large") {
    const std::string input(300'000, 'x');
    const auto finished = run_program(host, {.argv = {"cat"}, .input = input}, 10s);
    REQUIRE(finished);
    CHECK(finished->standard_output == input);
  }
  SECTION("of too much output the beginning and the end are kept") {
    const auto finished = run_program(host, {.argv = {"seq", "20000"}, .output_limit = 100}, 10s);
    REQUIRE(finished);
    CHECK(finished->standard_output.starts_with("1\n2\n3\n"));
    CHECK(finished->standard_output.ends_with("19999\n20000\n"));
    CHECK(finished->standard_output.find("bytes not kept") != std::string::npos);
    CHECK(finished->standard_output.size() < 200);
  }
  SECTION("a program that does not exist is not_found by its name") {
    const auto process = host.start({.argv = {"no-such-program-here"}});
    REQUIRE(!process);
    CHECK(to_text(process.error()).starts_with("no-such-program-here: no such program"));
    CHECK(process.error().code == ErrorCode::not_found);
  }
  SECTION("an empty command is invalid input") { CHECK(host.start({}).error().code == ErrorCode::invalid_input); }
  SECTION("a process that runs on is not waited for beyond the time given, and ends by a signal") {
    const auto process = host.start({.argv = {"sleep", "60"}}).value();
    CHECK(process->pid() > 0);
    CHECK(!process->wait(10ms));
    REQUIRE(process->signal(SIGTERM));
    const auto status = process->wait(10s);
    REQUIRE(status);
    CHECK(to_text(*status) == "signal 15");
    CHECK(!process->signal(SIGTERM));
  }
  SECTION("a stop flag ends the wait") {
    const auto process = host.start({.argv = {"sleep", "60"}}).value();
    const StopFlag stop = SIGINT;
    CHECK(!process->wait(60s, &stop));
  }
  SECTION("run_program kills what takes too long") {
    const auto finished = run_program(host, {.argv = {"sleep", "60"}}, 10ms);
    REQUIRE(!finished);
    CHECK(finished.error().code == ErrorCode::timed_out);
  }
  SECTION("run_checked makes a failed exit an error that quotes standard error") {
    CHECK(run_checked(host, {"true"}));
    CHECK(to_text(run_checked(host, {"sh", "-c", "echo out; echo err >&2; exit 7"}).error()).ends_with("exit 7: err"));
    CHECK(run_checked(host, {"false"}).error().text == "exit 1");
  }
}

TEMPLATE_TEST_CASE("a host waits in vain for a datagram where nobody answers", "", FakeFixture, LocalFixture, NamespaceFixture,
                   SshFixture) {
  TestType fixture;
  // Port 9 of the loopback has no listener: the real kernel refuses, a silent network times out.
  const auto answer = fixture.host().exchange_datagram("127.0.0.1", 9, "hello", 50ms);
  REQUIRE(!answer);
  CHECK((answer.error().code == ErrorCode::timed_out || answer.error().errno_value == ECONNREFUSED));
}

TEMPLATE_TEST_CASE("a host's clock never goes back and sleeps as long as asked", "", FakeFixture, LocalFixture, NamespaceFixture,
                   SshFixture) {
  TestType fixture;
  Clock& clock = fixture.host().clock();
  const auto before = clock.monotonic();
  clock.sleep(2ms);
  CHECK(clock.monotonic() - before >= 2ms);
  const StopFlag stop = SIGINT;
  clock.sleep(1h, &stop);  // returns at once
  CHECK(clock.monotonic() - before < 1h);
}
