#include "core/history/log_file.h"

#include "core/base/jute.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace lockscope::history {

namespace {

constexpr std::int32_t kLogMagic = 0x5A4B4C47; // "ZKLG"
constexpr std::int32_t kLogVersion = 2;
constexpr std::size_t kRecordHeaderBytes = 12; // checksum, length
constexpr char kEndMark = 'B';
constexpr std::size_t kChunk = 1024 * 1024;
constexpr std::size_t kMaxRecord =
    256 * 1024 * 1024;                      // the close of a session with a million nodes is smaller
constexpr std::size_t kMinRecordBytes = 32; // the head of a transaction
constexpr std::array<unsigned char, 2> kGzipMagic = {0x1f, 0x8b};
constexpr unsigned kGzipBuffer = 256 * 1024;
constexpr std::size_t kTypeAt = kRecordHeaderBytes + 28; // of the transaction's type

bool isKnownType(std::int32_t type)
{
    return (type >= -11 && type <= -10) || type == -1 || (type >= 1 && type <= 21);
}

} // namespace

LogFile::LogFile(std::filesystem::path path)
    : m_path(std::move(path))
    , m_fd(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
{
    struct stat status
    {};
    if (!m_fd.valid() || ::fstat(m_fd.get(), &status) != 0) {
        add(Damage::Kind::unreadable, 0, 0, std::generic_category().message(errno));
    } else if (!S_ISREG(status.st_mode)) {
        add(Damage::Kind::unreadable, 0, 0, message("it is no regular file"));
    } else {
        m_size = static_cast<std::uint64_t>(status.st_size);
        openCompressed();
        m_isLog = readHeader();
    }
}

void LogFile::openCompressed()
{
    std::array<unsigned char, 2> magic{};
    if (::pread(m_fd.get(), magic.data(), magic.size(), 0) != ssize_t{kGzipMagic.size()} ||
        magic != kGzipMagic)
        return;
    const int copy = ::fcntl(m_fd.get(), F_DUPFD_CLOEXEC, 0);
    m_gzip = {copy < 0 ? nullptr : ::gzdopen(copy, "rb"), &::gzclose};
    if (!m_gzip) {
        if (copy >= 0)
            ::close(copy);
        return add(Damage::Kind::unreadable, 0, 0, std::generic_category().message(errno ? errno : ENOMEM));
    }
    ::gzbuffer(m_gzip.get(), kGzipBuffer);
    m_size = std::uint64_t{1} << 62;
}

std::size_t LogFile::readAt(std::uint64_t offset, char* into, std::size_t bytes)
{
    if (!m_gzip) {
        ssize_t got = 0;
        do
            got = ::pread(m_fd.get(), into, bytes, static_cast<off_t>(offset));
        while (got < 0 && errno == EINTR);
        if (got < 0)
            add(Damage::Kind::unreadable, offset, 0, std::generic_category().message(errno));
        return got < 0 ? 0 : static_cast<std::size_t>(got);
    }
    if (static_cast<std::uint64_t>(::gztell(m_gzip.get())) != offset &&
        ::gzseek(m_gzip.get(), static_cast<z_off_t>(offset), SEEK_SET) < 0)
        return 0;
    const int got = ::gzread(m_gzip.get(), into, static_cast<unsigned>(bytes));
    if (got == static_cast<int>(bytes))
        return bytes;
    const std::size_t whole = got < 0 ? 0 : static_cast<std::size_t>(got);
    int error = Z_OK;
    ::gzerror(m_gzip.get(), &error);
    const bool isFirst = m_size > offset + whole;
    m_size = std::min<std::uint64_t>(m_size, offset + whole);
    m_isCut = m_isCut || (error != Z_OK && error != Z_STREAM_END);
    if (m_isCut && isFirst)
        add(Damage::Kind::unreadable, m_size, 0,
            error == Z_BUF_ERROR
                ? message("its compressed data ends too early, after %1 bytes of the log", m_size)
                : message("its compressed data is damaged, after %1 bytes of the log", m_size));
    return whole;
}

bool LogFile::readHeader()
{
    if (m_size == 0) {
        add(Damage::Kind::empty, 0, 0);
        return false;
    }
    const bool isWhole = ensureBuffered(0, kHeaderBytes);
    if (!isWhole && (!ensureBuffered(0, sizeof kLogMagic) || jute::loadInt32(at(0)) == kLogMagic)) {
        if (m_damage.empty())
            add(m_size == 0 ? Damage::Kind::empty : Damage::Kind::tornTail, 0, m_size);
        return false;
    }
    if (jute::loadInt32(at(0)) != kLogMagic) {
        add(Damage::Kind::notALog, 0, 0, message("it does not begin with ZKLG"));
        return false;
    }
    if (jute::loadInt32(at(4)) != kLogVersion) {
        add(Damage::Kind::notALog, 4, 0, message("its version is %1, not 2", jute::loadInt32(at(4))));
        return false;
    }
    m_offset = kHeaderBytes;
    return true;
}

void LogFile::add(Damage::Kind kind, std::uint64_t offset, std::uint64_t bytes, Message detail)
{
    m_damage.push_back({kind, m_path.string(), offset, bytes, 1, std::move(detail)});
}

bool LogFile::ensureBuffered(std::uint64_t offset, std::size_t bytes)
{
    if (offset >= m_bufferAt && offset + bytes <= m_bufferAt + m_buffered)
        return true;
    if (offset + bytes > m_size)
        return false;
    const std::size_t wanted = std::max(bytes, kChunk);
    if (m_buffer.size() < wanted)
        m_buffer.resize(wanted);
    std::size_t kept = 0;
    if (offset >= m_bufferAt && offset < m_bufferAt + m_buffered) {
        kept = static_cast<std::size_t>(m_bufferAt + m_buffered - offset);
        std::memmove(m_buffer.data(), at(offset), kept);
    }
    m_bufferAt = offset;
    m_buffered = kept;
    while (m_buffered < m_buffer.size()) {
        const std::size_t got =
            readAt(m_bufferAt + m_buffered, m_buffer.data() + m_buffered, m_buffer.size() - m_buffered);
        if (got == 0)
            break;
        m_buffered += got;
    }
    return m_buffered >= bytes;
}

LogFile::Fit LogFile::fitAt(std::uint64_t offset)
{
    if (!ensureBuffered(offset, kRecordHeaderBytes))
        return Fit::beyondEnd;
    const std::int64_t checksum = jute::loadInt64(at(offset));
    const std::int32_t length = jute::loadInt32(at(offset) + 8);
    if (length == 0)
        return checksum == 0 ? Fit::padding : Fit::bad;
    const auto size = static_cast<std::size_t>(length);
    if (length < 0 || size < kMinRecordBytes || size > kMaxRecord || checksum >> 32 != 0)
        return Fit::bad;
    if (offset + kRecordHeaderBytes + size + 1 > m_size)
        return Fit::beyondEnd;
    if (!ensureBuffered(offset, kRecordHeaderBytes + size + 1))
        return Fit::beyondEnd;
    const char* record = at(offset) + kRecordHeaderBytes;
    if (record[size] != kEndMark)
        return Fit::bad;
    const auto sum = ::adler32_z(1, reinterpret_cast<const unsigned char*>(record), size);
    if (static_cast<std::int64_t>(sum) != checksum)
        return Fit::bad;
    m_recordSize = size;
    return Fit::whole;
}

bool LogFile::next(Record& record)
{
    if (!m_isLog)
        return false;
    for (;;) {
        const Fit fit = fitAt(m_offset);
        if (fit == Fit::whole) {
            record = {m_offset, {at(m_offset) + kRecordHeaderBytes, m_recordSize}};
            m_offset += kRecordHeaderBytes + m_recordSize + 1;
            return true;
        }
        // The buffer may be outdated, and the file may have grown.
        struct stat status
        {};
        if (!m_gzip && ::fstat(m_fd.get(), &status) == 0) {
            m_size = static_cast<std::uint64_t>(status.st_size);
            m_buffered = 0;
        }
        if (m_size < m_offset && m_offset == kHeaderBytes)
            return false; // a server that restarts rewrites a log without records
        if (m_size < m_offset) {
            add(Damage::Kind::shrunk, m_size, m_offset - m_size);
            m_isLog = false;
            return false;
        }
        if (fitAt(m_offset) == Fit::whole)
            continue;
        const std::uint64_t data = nextData(m_offset);
        const std::uint64_t found = data == m_size ? m_size : nextRecord(m_offset + 1);
        if (found == m_size)
            return false;
        if (data > m_offset + kRecordHeaderBytes && found + kRecordHeaderBytes >= data)
            add(Damage::Kind::zerosInside, m_offset, found - m_offset);
        else
            add(Damage::Kind::badRecords, m_offset, found - m_offset,
                message("no complete record was found"));
        m_offset = found;
    }
}

void LogFile::finish()
{
    if (!m_isLog)
        return;
    if (!m_isCut && nextData(m_offset) < m_size) {
        const std::uint64_t end = lastData(m_offset);
        if (isTorn(end))
            add(Damage::Kind::tornTail, m_offset, end - m_offset);
        else
            add(Damage::Kind::badRecords, m_offset, end - m_offset, message("no complete record was found"));
    }
    m_isLog = false;
}

// The server died while it wrote the record: fewer bytes follow than its length says.
bool LogFile::isTorn(std::uint64_t end)
{
    if (end - m_offset <= kRecordHeaderBytes || !ensureBuffered(m_offset, kRecordHeaderBytes))
        return true;
    const std::int32_t length = jute::loadInt32(at(m_offset) + 8);
    return length >= 0 && static_cast<std::uint64_t>(length) <= kMaxRecord &&
           end - m_offset < kRecordHeaderBytes + static_cast<std::uint64_t>(length) + 1;
}

std::uint64_t LogFile::nextData(std::uint64_t offset)
{
    if (offset >= m_zerosFrom)
        return m_size;
    const std::uint64_t begin = offset;
    while (offset < m_size) {
        if (!m_gzip) {
            const off_t data = ::lseek(m_fd.get(), static_cast<off_t>(offset), SEEK_DATA); // skips holes
            if (data < 0 && errno == ENXIO)
                return m_size;
            if (data > 0)
                offset = std::max(offset, static_cast<std::uint64_t>(data));
        }
        if (!ensureBuffered(offset, 1))
            break;
        const char* from = at(offset);
        const char* end = m_buffer.data() + m_buffered;
        const char* found = std::find_if(from, end, [](char byte) { return byte != 0; });
        offset += static_cast<std::uint64_t>(found - from);
        if (found != end)
            return offset;
    }
    if (m_gzip)
        m_zerosFrom = begin; // to read them again would begin at the front
    return m_size;
}

std::uint64_t LogFile::lastData(std::uint64_t from)
{
    std::uint64_t last = from;
    for (std::uint64_t data = nextData(from); data < m_size; data = nextData(data)) {
        if (!ensureBuffered(data, 1))
            break;
        const char* begin = at(data);
        const char* end = m_buffer.data() + m_buffered;
        const char* zero = std::find(begin, end, '\0');
        data += static_cast<std::uint64_t>(zero - begin);
        last = data;
    }
    return std::min(last, m_size);
}

std::uint64_t LogFile::nextRecord(std::uint64_t offset)
{
    while (offset + kTypeAt + 4 < m_size) {
        if (!ensureBuffered(offset, kTypeAt + 4))
            return m_size;
        // A checksum has 32 bits in a field of 64: four zeros begin every record.
        if (jute::loadInt32(at(offset)) != 0) {
            ++offset;
            continue;
        }
        if (jute::loadInt64(at(offset)) == 0 && jute::loadInt32(at(offset) + 8) == 0) {
            const std::uint64_t data = nextData(offset); // a record begins with at most eleven zeros
            if (data == m_size)
                return m_size;
            offset = std::max(offset + 1, data - (kRecordHeaderBytes - 1));
            continue;
        }
        if (isKnownType(jute::loadInt32(at(offset) + kTypeAt)) && fitAt(offset) == Fit::whole)
            return offset;
        ++offset;
    }
    return m_size;
}

bool LogFile::isReplaced() const
{
    struct stat named
    {
    }, open{};
    if (!m_fd.valid() || ::fstat(m_fd.get(), &open) != 0)
        return false;
    return ::stat(m_path.c_str(), &named) != 0 || named.st_ino != open.st_ino || named.st_dev != open.st_dev;
}

} // namespace lockscope::history
