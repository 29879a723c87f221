// The records of one transaction log file, each with its checksum verified, read through one buffer. Damage
// in the middle is skipped up to the next record whose length, end mark and checksum fit. A file may grow, or
// be cut, while it is read; one that is compressed by gzip does not. Read-only: nothing is written or locked.
// One thread at a time; blocks as read(2) does.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/base/jute.h"
#include "core/base/unique_fd.h"
#include "core/history/damage.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace lockscope::history {

class LogFile
{
public:
    static constexpr std::size_t kHeaderBytes = 16; // magic, version, database
    // If the file cannot be opened, is empty or is not a log, isLog() is false and takeDamage() says why.
    explicit LogFile(std::filesystem::path path);

    bool isLog() const { return m_isLog; }
    bool mayGrow() const
    {
        return !m_isLog && m_fd.valid() && !m_gzip && m_size < kHeaderBytes;
    } // into a log
    struct Record
    {
        std::uint64_t offset = 0;
        std::string_view bytes; // valid until the next call; at least the head of a transaction

        Zxid zxid() const
        {
            return Zxid{jute::loadInt64(bytes.data() + 12)};
        } // behind the session and its request number
    };
    // Reads the next record; false if there is none (yet). If the file grows, a later call may succeed.
    bool next(Record& record);
    // Continues with the record at this offset.
    void skipTo(std::uint64_t offset) { m_offset = offset; }
    // Call when the file will not grow any more: the rest of it is a torn record or preallocated space.
    void finish();

    std::vector<Damage> takeDamage() { return std::exchange(m_damage, {}); }
    const std::filesystem::path& path() const { return m_path; }
    bool isReplaced() const; // its path names another file now, or none

private:
    enum class Fit : std::uint8_t { whole, padding, beyondEnd, bad };
    Fit fitAt(std::uint64_t offset);
    bool ensureBuffered(std::uint64_t offset, std::size_t bytes);
    const char* at(std::uint64_t offset) const { return m_buffer.data() + (offset - m_bufferAt); }
    bool readHeader();
    void add(Damage::Kind kind, std::uint64_t offset, std::uint64_t bytes, Message detail = {});
    std::uint64_t nextData(std::uint64_t offset);   // the first byte that is not zero; m_size if all are
    std::uint64_t nextRecord(std::uint64_t offset); // the first whole record; m_size if there is none
    std::uint64_t lastData(std::uint64_t from);     // the end of the last byte that is not zero
    bool isTorn(std::uint64_t end);                 // the rest up to `end` is the beginning of one record
    // Reads up to `bytes` bytes at the offset into the buffer; 0 at the end or after a failure, which is
    // noted.
    std::size_t readAt(std::uint64_t offset, char* into, std::size_t bytes);
    void openCompressed();

    std::filesystem::path m_path;
    UniqueFd m_fd;
    std::unique_ptr<gzFile_s, int (*)(gzFile_s*)> m_gzip{nullptr,
                                                         nullptr}; // null: the file is not compressed
    bool m_isLog = false;
    bool m_isCut = false;     // compressed data ended too early, or was damaged, which was noted
    std::uint64_t m_size = 0; // of a compressed file: known once its end was read
    std::uint64_t m_zerosFrom = ~std::uint64_t{0}; // only zeros from here to the end of a compressed file
    std::uint64_t m_offset = 0;
    std::vector<char> m_buffer;
    std::uint64_t m_bufferAt = 0;
    std::size_t m_buffered = 0;
    std::size_t m_recordSize = 0;
    std::vector<Damage> m_damage;
};

} // namespace lockscope::history
