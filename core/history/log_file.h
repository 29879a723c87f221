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
    // Of a file that cannot be opened, is empty or is no log: isLog() is false and the damage says why.
    explicit LogFile(std::filesystem::path path);

    bool isLog() const { return m_isLog; }
    bool mayGrow() const { return !m_isLog && m_fd.valid() && m_size < kHeaderBytes; } // into one
    struct Record
    {
        std::uint64_t offset = 0;
        std::string_view bytes; // valid until the next call
    };
    // The next record; false when there is none (yet): of a file that grows it may be asked again.
    bool next(Record& record);
    // No more will come: what is left at the end is a torn record or room that was kept.
    void finish();

    std::vector<Damage> takeDamage() { return std::exchange(m_damage, {}); }
    const std::filesystem::path& path() const { return m_path; }
    bool isReplaced() const; // its name belongs to another file, or to none

private:
    static constexpr std::size_t kHeaderBytes = 16; // magic, version, database
    enum class Fit : std::uint8_t { whole, padding, beyondEnd, bad };
    Fit fitAt(std::uint64_t offset);
    bool ensureBuffered(std::uint64_t offset, std::size_t bytes);
    const char* at(std::uint64_t offset) const { return m_buffer.data() + (offset - m_bufferAt); }
    bool readHeader();
    void add(Damage::Kind kind, std::uint64_t offset, std::uint64_t bytes, Message detail = {});
    std::uint64_t nextData(std::uint64_t offset);   // the first byte that is not zero; the size if there is none
    std::uint64_t nextRecord(std::uint64_t offset); // the first one that fits; the size if there is none
    std::uint64_t lastData(std::uint64_t from);     // after the last byte that is not zero

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
