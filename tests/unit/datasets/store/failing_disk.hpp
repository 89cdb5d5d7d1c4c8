#pragma once
// A disk that fails with EIO at a chosen write or sync: SQLite's own file layer with a countdown before it.

#include <sqlite3.h>
#include <catch2/catch.hpp>

#include <map>
#include <memory>

namespace netsettle::datasets::testing {

/// While it lives, every database of this process is opened through it.
class FailingDisk {
 public:
  FailingDisk() : usual_(sqlite3_vfs_find(nullptr)), vfs_(*usual_) {
    instance_ = this;
    vfs_.zName = "failing";
    vfs_.pNext = nullptr;
    vfs_.xOpen = [](sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
      return instance_->open(name, file, flags, out);
    };
    REQUIRE(sqlite3_vfs_register(&vfs_, 1) == SQLITE_OK);
  }
  FailingDisk(const FailingDisk&) = delete;
  FailingDisk& operator=(const FailingDisk&) = delete;
  ~FailingDisk() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(usual_, 1);
    instance_ = nullptr;
  }

  /// All writes and syncs after the next `operations` fail, until repair().
  void fail_after(int operations) { left_ = operations; }
  void repair() { left_ = -1; }

 private:
  struct Methods {
    sqlite3_io_methods patched;  // first: SQLite's files point at it
    const sqlite3_io_methods* usual;
  };

  static const sqlite3_io_methods& usual_of(const sqlite3_file* file) { return *reinterpret_cast<const Methods*>(file->pMethods)->usual; }

  bool fails() {
    if (left_ < 0) return false;
    if (left_ == 0) return true;
    --left_;
    return false;
  }

  int open(const char* name, sqlite3_file* file, int flags, int* out) {
    const int result = usual_->xOpen(usual_, name, file, flags, out);
    if (file->pMethods == nullptr) return result;
    auto& methods = methods_[file->pMethods];
    if (!methods) {
      methods = std::make_unique<Methods>(Methods{*file->pMethods, file->pMethods});
      methods->patched.xWrite = [](sqlite3_file* at, const void* data, int size, sqlite3_int64 offset) {
        return instance_->fails() ? SQLITE_IOERR_WRITE : usual_of(at).xWrite(at, data, size, offset);
      };
      methods->patched.xSync = [](sqlite3_file* at, int how) {
        return instance_->fails() ? SQLITE_IOERR_FSYNC : usual_of(at).xSync(at, how);
      };
    }
    file->pMethods = &methods->patched;
    return result;
  }

  static inline FailingDisk* instance_ = nullptr;
  sqlite3_vfs* usual_;
  sqlite3_vfs vfs_;
  int left_ = -1;
  std::map<const sqlite3_io_methods*, std::unique_ptr<Methods>> methods_;
};

}  // namespace netsettle::datasets::testing
