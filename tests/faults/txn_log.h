// ZooKeeper's own record of what happened: the transaction log it writes into its data directory, read while
// it grows, in zxid order. A transaction is here before its reply goes out. One thread at a time.
#pragma once

#include "core/history/log_file.h"
#include "core/history/transaction.h"

#include <functional>
#include <memory>

namespace lockscope::tests {

struct Txn
{
    enum class Kind { created, deleted, dataSet, sessionClosed, other };
    Kind kind = Kind::other;
    Zxid zxid;
    SessionId session;      // that asked for it
    bool ephemeral = false; // created only
    std::string_view path;  // valid inside the visitor only, and so is data
    std::string_view data;
};

class TxnLog
{
public:
    using Visitor = std::function<void(const Txn&)>;

    explicit TxnLog(std::filesystem::path folder); // of the log files, ".../data/version-2"
    // Visits what was written since the last call. The server removes old files a few restarts later: call it
    // before each. Throws std::runtime_error when a file went unread, or is not what it should be.
    void read(const Visitor& visit);
    std::uint64_t bytes() const { return m_bytes; } // read so far

private:
    struct File
    {
        std::filesystem::path path; // empty: none
        std::uint64_t number = 0;   // its first zxid
    };
    File newerFile() const;
    void readFile(const Visitor& visit);

    std::filesystem::path m_folder;
    std::uint64_t m_number = 0;               // of the file that is being read
    std::unique_ptr<history::LogFile> m_file; // null: none yet
    history::Transaction m_transaction;
    std::uint64_t m_bytes = 0;
};

} // namespace lockscope::tests
