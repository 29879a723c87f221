#include "tests/faults/txn_log.h"

#include <charconv>
#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lockscope::tests {

namespace {

constexpr std::string_view kPrefix = "log.";
constexpr std::uint64_t kFileHead = 16;    // magic, version, database
constexpr std::size_t kEntryHead = 12;     // checksum, length
constexpr std::size_t kChunk = 256 * 1024; // at a time; no transaction here is larger
constexpr char kEntryEnd = 'B';

// ZooKeeper's numbers of the transactions.
enum class Type : std::int32_t {
    closeSession = -11,
    create = 1,
    remove = 2,
    setData = 5,
    create2 = 15,
    createContainer = 19,
    removeContainer = 20,
};

// Jute as it is written: big-endian numbers, lengths before bytes.
class Jute
{
public:
    explicit Jute(std::string_view bytes)
        : m_bytes(bytes)
    {}

    std::int64_t number(std::size_t size)
    {
        std::uint64_t value = 0;
        for (const char byte : take(size))
            value = value << 8 | static_cast<unsigned char>(byte);
        return size == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
    }
    std::string_view bytes()
    {
        const std::int64_t length = number(4);
        return length > 0 ? take(static_cast<std::size_t>(length)) : std::string_view();
    }
    bool flag() { return take(1).front() != 0; }

private:
    std::string_view take(std::size_t size)
    {
        if (size > m_bytes.size())
            throw std::runtime_error("a transaction of the server's log ends too early");
        const std::string_view taken = m_bytes.substr(0, size);
        m_bytes.remove_prefix(size);
        return taken;
    }
    std::string_view m_bytes;
};

void skipAcl(Jute& in)
{
    for (std::int64_t left = in.number(4); left > 0; --left) {
        in.number(4);
        in.bytes();
        in.bytes();
    }
}

Txn parse(std::string_view entry)
{
    Jute in(entry);
    Txn txn;
    txn.session = SessionId{in.number(8)};
    in.number(4); // the client's number of the request
    txn.zxid = Zxid{in.number(8)};
    in.number(8); // time
    switch (static_cast<Type>(in.number(4))) {
    case Type::create:
    case Type::create2:
        txn.kind = Txn::Kind::created;
        txn.path = in.bytes();
        txn.data = in.bytes();
        skipAcl(in);
        txn.ephemeral = in.flag();
        break;
    case Type::createContainer:
        txn.kind = Txn::Kind::created;
        txn.path = in.bytes();
        break;
    case Type::remove:
    case Type::removeContainer:
        txn.kind = Txn::Kind::deleted;
        txn.path = in.bytes();
        break;
    case Type::setData:
        txn.kind = Txn::Kind::dataSet;
        txn.path = in.bytes();
        txn.data = in.bytes();
        break;
    case Type::closeSession:
        txn.kind = Txn::Kind::sessionClosed;
        break;
    default:
        break;
    }
    return txn;
}

// The zxid in the name of a log file; 0 for any other file.
std::uint64_t numberOf(const std::string& name)
{
    std::uint64_t number = 0;
    if (name.starts_with(kPrefix))
        std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number, 16);
    return number;
}

} // namespace

TxnLog::TxnLog(std::filesystem::path folder)
    : m_folder(std::move(folder))
{}

void TxnLog::read(const Visitor& visit)
{
    for (;;) {
        // Looked for before the reading: once there is a newer file the one before it does not grow any more.
        const File next = newerFile();
        readFile(visit);
        if (next.name.empty())
            return;
        m_file = next;
        m_offset = kFileHead;
    }
}

// The next file, with an empty name when there is none.
TxnLog::File TxnLog::newerFile() const
{
    File next;
    std::error_code notThere; // the folder is made with the first transaction
    for (const auto& entry : std::filesystem::directory_iterator(m_folder, notThere)) {
        const std::string name = entry.path().filename().string();
        const std::uint64_t number = numberOf(name);
        if (number > m_file.number && (next.name.empty() || number < next.number))
            next = {name, number};
    }
    return next;
}

void TxnLog::readFile(const Visitor& visit)
{
    if (m_file.name.empty())
        return;
    std::ifstream in(m_folder / m_file.name, std::ios::binary);
    if (!in)
        throw std::runtime_error("the server's log " + m_file.name + " was removed before it was read");
    std::vector<char> buffer(kChunk);
    for (bool more = true; more;) {
        in.clear();
        in.seekg(static_cast<std::streamoff>(m_offset));
        in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        const std::string_view chunk(buffer.data(), static_cast<std::size_t>(in.gcount()));
        std::size_t at = 0;
        more = false;
        while (at + kEntryHead <= chunk.size()) {
            const auto length = static_cast<std::size_t>(Jute(chunk.substr(at + 8, 4)).number(4));
            // Zeros are room kept for what comes; without its end mark an entry is not whole yet.
            if (length == 0 || at + kEntryHead + length + 1 > chunk.size() ||
                chunk[at + kEntryHead + length] != kEntryEnd)
                break;
            visit(parse(chunk.substr(at + kEntryHead, length)));
            at += kEntryHead + length + 1;
            more = true;
        }
        m_offset += at;
        m_bytes += at;
    }
}

} // namespace lockscope::tests
