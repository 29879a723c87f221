// The records of one transaction log file, each with its checksum verified, read through one buffer. Damage in the middle
// is skipped up to the next record whose length, end mark and checksum fit. A file may grow, or be cut, while it is
// read. Read-only: nothing is written or locked. One thread at a time; blocks as read(2) does.
#pragma once

#include "core/base/error.h"
#include "core/base/unique_fd.h"
#include "core/history/damage.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::history {

class LogFile
{
public:
    // If the file cannot be opened, is empty or is not a log, isLog() is false and takeDamage() says why.
    explicit LogFile(std::filesystem::path path);

    bool isLog() const { return m_isLog; }
    bool mayGrow() const { return !m_isLog && m_fd.valid() && m_size < kHeaderBytes; } // into a log
    struct Record
    {
        std::uint64_t offset = 0;
        std::string_view bytes; // valid until the next call
    };
    // Reads the next record; false if there is none (yet). If the file grows, a later call may succeed.
    bool next(Record& record);
    // Call when the file will not grow any more: the rest of it is a torn record or preallocated space.
    void finish();

    std::vector<Damage> takeDamage() { return std::exchange(m_damage, {}); }
    const std::filesystem::path& path() const { return m_path; }
    bool isReplaced() const; // its path names another file now, or none

private:
    static constexpr std::size_t kHeaderBytes = 16; // magic, version, database
    enum class Fit : std::uint8_t { whole, padding, beyondEnd, bad };
    Fit fitAt(std::uint64_t offset);
    bool ensureBuffered(std::uint64_t offset, std::size_t bytes);
    const char* at(std::uint64_t offset) const { return m_buffer.data() + (offset - m_bufferAt); }
    bool readHeader();
    void add(Damage::Kind kind, std::uint64_t offset, std::uint64_t bytes, Message detail = {});
    std::uint64_t nextData(std::uint64_t offset);   // the first byte that is not zero; m_size if all are
    std::uint64_t nextRecord(std::uint64_t offset); // the first whole record; m_size if there is none
    std::uint64_t lastData(std::uint64_t from);     // the end of the last byte that is not zero

    std::filesystem::path m_path;
    UniqueFd m_fd;
    bool m_isLog = false;
    std::uint64_t m_size = 0;
    std::uint64_t m_offset = 0;
    std::vector<char> m_buffer;
    std::uint64_t m_bufferAt = 0;
    std::size_t m_buffered = 0;
    std::size_t m_recordSize = 0;
    std::vector<Damage> m_damage;
};

} // namespace lockscope::history
