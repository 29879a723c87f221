#include "core/history/snapshot.h"

#include "core/base/jute.h"
#include "core/history/transaction.h"
#include "core/queue/owner.h"
#include "core/queue/scheme.h"
#include "core/queue/words.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <memory>
#include <system_error>

namespace lockscope::history {

namespace {

constexpr std::int32_t kSnapshotMagic = 0x5A4B534E; // "ZKSN"
constexpr std::int32_t kSnapshotVersion = 2;
constexpr unsigned kInputBuffer = 1024 * 1024;
constexpr std::size_t kMaxField = 64 * 1024 * 1024; // ZooKeeper's own limit for a node is 1 MB
constexpr std::uint64_t kLastFourBytes = 0xffffffff;

// Reads fields from a file that may be compressed, and sums all bytes read. Keeps the first failure.
class Input
{
public:
    explicit Input(const std::filesystem::path& path)
        : m_file(::gzopen(path.c_str(), "rbe"), &::gzclose)
    {
        if (!m_file)
            fail(std::generic_category().message(errno ? errno : ENOMEM));
        else
            ::gzbuffer(m_file.get(), kInputBuffer);
    }

    std::int32_t int32() { return read(4) ? jute::loadInt32(m_field.data()) : 0; }
    std::int64_t int64() { return read(8) ? jute::loadInt64(m_field.data()) : 0; }
    // Valid until the next field.
    std::string_view buffer()
    {
        const std::int32_t length = int32();
        if (length < -1 || (length > 0 && static_cast<std::size_t>(length) > kMaxField))
            fail(message("a field has a length of %1", length));
        return length > 0 && read(static_cast<std::size_t>(length))
                   ? std::string_view(m_field.data(), static_cast<std::size_t>(length))
                   : std::string_view();
    }
    // Checks the stored sum of all bytes before it, and the "/" after it.
    void checksum()
    {
        const std::uint64_t sum = m_sum;
        if (static_cast<std::uint64_t>(int64()) != (sum & kLastFourBytes))
            fail(message("its checksum is wrong"));
        if (buffer() != "/")
            fail(message("its end mark is missing"));
    }
    bool atEnd()
    {
        unsigned char byte = 0;
        if (!ok() || ::gzread(m_file.get(), &byte, 1) != 1)
            return true;
        ::gzungetc(byte, m_file.get());
        return false;
    }
    void fail(Message why)
    {
        if (m_error.empty())
            m_error = std::move(why);
    }
    bool ok() const { return m_error.empty(); }
    const Message& error() const { return m_error; }
    std::uint64_t offset() const { return m_offset; } // uncompressed

private:
    bool read(std::size_t size)
    {
        if (!ok())
            return false;
        if (m_field.size() < size)
            m_field.resize(size);
        const int got = ::gzread(m_file.get(), m_field.data(), static_cast<unsigned>(size));
        if (got < 0 || static_cast<std::size_t>(got) != size) {
            fail(message("it ends too early"));
            return false;
        }
        m_offset += size;
        m_sum = ::adler32(m_sum, reinterpret_cast<const unsigned char*>(m_field.data()),
                          static_cast<unsigned>(size));
        return true;
    }

    std::unique_ptr<gzFile_s, int (*)(gzFile)> m_file;
    std::vector<char> m_field = std::vector<char>(256);
    std::uint64_t m_offset = 0;
    unsigned long m_sum = ::adler32(0, nullptr, 0);
    Message m_error;
};

using Sessions = boost::unordered_flat_set<std::int64_t>;

void readHeader(Input& in, Sessions& sessions)
{
    if (in.int32() != kSnapshotMagic)
        in.fail(message("it does not begin with ZKSN"));
    if (in.int32() != kSnapshotVersion)
        in.fail(message("its version is not 2"));
    in.int64();
    for (std::int32_t left = in.int32(); left > 0 && in.ok(); --left) {
        sessions.insert(in.int64());
        in.int32();
    }
    for (std::int32_t lists = in.int32(); lists > 0 && in.ok(); --lists) {
        in.int64();
        for (std::int32_t left = in.int32(); left > 0 && in.ok(); --left) {
            in.int32();
            in.buffer();
            in.buffer();
        }
    }
}

// The owner of a node with a time to live begins as the ids of the sessions of a server 255 do. In these the
// time of the server's start follows, where a time to live has zeros.
bool isSession(std::int64_t owner, const Sessions& sessions)
{
    constexpr std::uint64_t kTimeBits = std::uint64_t{0xffff} << 40;
    const bool mayBeTtl = (static_cast<std::uint64_t>(owner) & kTimeBits) == 0 && !sessions.contains(owner);
    return queue::ownerKindOf(owner, mayBeTtl) == queue::OwnerKind::session;
}

// Whether a node that no session owns may be of a lock, or in front of one.
bool mayMatter(std::string_view path)
{
    const std::string_view name = nameOf(path);
    return !name.empty() && (name.front() <= '9' || queue::endsInDigits(name) ||
                             queue::isKazooLeaseName(name) || name.ends_with(queue::kKazooMutexSuffix));
}

// Finds the cversion of a node's parent. The nodes come in preorder: each follows its parent or a sibling's
// subtree.
class Ancestors
{
public:
    std::optional<std::int32_t> parentCversion(std::string_view path)
    {
        const std::string_view parent = parentOf(path);
        while (!m_nodes.empty() && m_nodes.back().path != parent)
            m_nodes.pop_back();
        return m_nodes.empty() ? std::nullopt : std::optional(m_nodes.back().cversion);
    }
    void add(std::string_view path, std::int32_t cversion)
    {
        m_nodes.push_back({std::string(path), cversion});
    }

private:
    struct Ancestor
    {
        std::string path;
        std::int32_t cversion;
    };
    std::vector<Ancestor> m_nodes; // from the root to the last node
};

void noteChange(SnapshotTree& tree, Zxid zxid)
{
    for (Zxid& newest : tree.changed)
        if (newest.value >> 32 == zxid.value >> 32) {
            newest = std::max(newest, zxid);
            return;
        }
    tree.changed.push_back(zxid);
}

void readNodes(Input& in, const Sessions& sessions, SnapshotNodes& kept, SnapshotTree* tree)
{
    constexpr std::size_t kDataKept = 128; // of nodes without a session
    SnapshotNode node;
    Ancestors ancestors;
    while (in.ok()) {
        node.path = in.buffer();
        if (node.path == "/")
            return;
        node.data = in.buffer();
        in.int64(); // the ACL's number
        node.created = Zxid{in.int64()};
        const Zxid modified{in.int64()};
        node.createdMs = clampTime(in.int64());
        in.int64();
        in.int32();
        const std::int32_t cversion = in.int32();
        in.int32();
        const std::int64_t owner = in.int64();
        const Zxid childrenChanged{in.int64()};
        if (!in.ok())
            return;
        if (tree) {
            tree->nodes.emplace(std::hash<std::string_view>()(node.path),
                                SnapshotTree::Node{node.created, cversion});
            for (const Zxid zxid : {node.created, modified, childrenChanged})
                noteChange(*tree, zxid);
        }
        node.parentCversion = ancestors.parentCversion(node.path);
        node.ephemeral = isSession(owner, sessions);
        node.owner = node.ephemeral ? SessionId{owner} : SessionId::none();
        if (!queue::isOwnersWord(node.created, modified, node.data))
            node.data.clear();
        if (!node.ephemeral) { // an ephemeral node has no children
            ancestors.add(node.path, cversion);
            node.data.resize(std::min(node.data.size(), kDataKept));
        }
        if (node.ephemeral || mayMatter(node.path))
            kept.push_back(node);
    }
}

} // namespace

const SnapshotTree::Node* SnapshotTree::find(std::string_view path) const
{
    const auto found = nodes.find(std::hash<std::string_view>()(path));
    return found == nodes.end() ? nullptr : &found->second;
}

std::optional<SnapshotNodes> readSnapshot(const std::filesystem::path& path, Damage& damage,
                                          SnapshotTree* tree)
{
    SnapshotNodes ephemerals;
    Sessions sessions;
    Input in(path);
    if (in.ok() && in.atEnd()) {
        damage = {Damage::Kind::empty, path.string()};
        return std::nullopt;
    }
    readHeader(in, sessions);
    readNodes(in, sessions, ephemerals, tree);
    if (tree)
        tree->sessions = sessions;
    if (in.ok())
        in.checksum();
    if (in.ok() && !in.atEnd()) { // 3.6 and later: the digest
        in.int64();
        in.int32();
        in.int64();
        in.checksum();
    }
    if (in.ok() && !in.atEnd()) { // 3.9 and later: the last transaction
        in.int64();
        in.checksum();
    }
    if (in.ok())
        return ephemerals;
    damage = {Damage::Kind::snapshotBroken, path.string(), in.offset(), 0, 1, in.error()};
    return std::nullopt;
}

} // namespace lockscope::history
