// Fences: what refuses a write of a holder that has lost its lock and does not know it (LIMITS.md). Each of
// them compares the fencing token of the grant, or the holder's node, where the data is.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/zk/hub.h"
#include "core/zk/pending.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace lockscope::fence {

// ---- data in ZooKeeper ----

// Sets the data of a node, in one transaction with the check that the holder's node still exists. `holder`:
// its path, `mutex.path() + "/" + grant.node`. Scheduler thread of the session, which need not be the
// holder's. Errors: notOwner (the holder's node is gone: nothing was written), noNode (`path` does not
// exist), connectionLost (it may have been written), sessionLost, closed, noAuth, badUsage (not a path), busy
// (throttled), internal.
zk::Task<Result<void>> write(std::shared_ptr<zk::HubSession> session, std::string holder, std::string path,
                             std::string data);

// ---- a file ----

// Replaces the content of a file, unless a holder with a greater token has done so before. The token is
// beside it, in `file` + ".token", which is locked (flock) while the two are compared and the new content,
// made in `file` + ".new", takes the place of the old one; a reader sees one or the other. All that write the
// file do it with this function, on one machine, or on a file system whose flock works between machines. Any
// thread; blocks, at most for `patience` when another writer is stopped half-way, which otherwise could not
// be distinguished from one that is at work. On return the content is on the disk. Errors: notOwner (the
// token is too small, and nothing was written), badUsage (no token), timedOut, ioFailed, badInput (the token
// beside the file is none).
Result<void> replaceFile(const std::filesystem::path& file, Zxid token, std::string_view content,
                         Duration patience = std::chrono::seconds(10));

// ---- a database ----

// The statements of SQLite (3.24) and PostgreSQL (9.5), the second with two parameters: the name of what the
// lock protects, and the token. Execute it first in the transaction that writes. It changes one row, or none:
// then a greater token has been there, and the transaction is to be rolled back. The row stays locked until
// the end of the transaction, so no two holders write at once.
inline constexpr const char* kSqlTable = "CREATE TABLE IF NOT EXISTS lockscope_fence "
                                         "(name VARCHAR(1024) PRIMARY KEY, token BIGINT NOT NULL)";
inline constexpr const char* kSqlAdvance = "INSERT INTO lockscope_fence (name, token) VALUES ($1, $2) "
                                           "ON CONFLICT (name) DO UPDATE SET token = excluded.token "
                                           "WHERE lockscope_fence.token <= excluded.token";

} // namespace lockscope::fence
