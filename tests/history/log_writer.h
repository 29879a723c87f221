// Transaction logs and snapshots as ZooKeeper writes them, made of calls: for tests of their reader.
#pragma once

#include "core/base/jute.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tests {

inline constexpr std::int64_t kStartMs = 1'700'000'000'000;
inline constexpr std::int64_t kA = 0x100000000000001, kB = 0x100000000000002,
                              kC = 0x100000000000003; // sessions

// The bytes of a log file. Each transaction takes the next zxid; time stands still until at().
class LogWriter
{
public:
    explicit LogWriter(std::int64_t firstZxid = 1)
        : m_zxid(firstZxid)
    {
        m_file = head();
    }

    static std::string head();

    LogWriter& at(std::int64_t ms) // since kStartMs, for what follows
    {
        m_ms = ms;
        return *this;
    }
    LogWriter& zxid(std::int64_t next)
    {
        m_zxid = next;
        return *this;
    }
    LogWriter& open(std::int64_t session);
    // An ephemeral sequential node, as Java's create() logs it.
    LogWriter& queue(std::int64_t session, const std::string& path, std::string_view data = {});
    LogWriter& create(std::int64_t session, const std::string& path, bool ephemeral,
                      std::int32_t parentCversion = 1, std::string_view data = {});
    LogWriter& container(std::int64_t session, const std::string& path);
    LogWriter& remove(std::int64_t session, const std::string& path);
    LogWriter& set(std::int64_t session, const std::string& path, std::string_view data);
    LogWriter& expire(std::int64_t session, const std::vector<std::string>& paths = {})
    {
        return close(session, 0, paths);
    }
    LogWriter& close(std::int64_t session, std::int32_t cxid = 7, const std::vector<std::string>& paths = {});
    LogWriter& error(std::int64_t session, std::int32_t code);
    // A transaction with this type and body.
    LogWriter& txn(std::int64_t session, std::int32_t cxid, std::int32_t type, const jute::Writer& body);
    LogWriter& record(std::string_view bytes); // whatever is in it, with its checksum and end mark
    LogWriter& raw(std::string_view bytes)     // into the file as they are
    {
        m_file += bytes;
        return *this;
    }

    std::string& bytes() { return m_file; }
    std::size_t size() const { return m_file.size(); }
    // Under the name of its first zxid.
    std::filesystem::path writeTo(const std::filesystem::path& folder, std::int64_t firstZxid = 1) const;

private:
    std::string m_file;
    std::int64_t m_zxid;
    std::int64_t m_ms = 0;
};

void writeBytes(const std::filesystem::path& path, std::string_view bytes);

struct SnapshotEntry
{
    std::string path;
    std::int64_t owner = 0;
    std::int64_t czxid = 0;
    std::int64_t ctimeMs = kStartMs;
    std::string data{};
    std::int32_t cversion = 0;
};
std::string snapshotBytes(const std::vector<SnapshotEntry>& nodes);

} // namespace lockscope::tests
