#include "tests/history/log_writer.h"

#include "core/queue/number.h"

#include <zlib.h>

#include <charconv>
#include <fstream>

namespace lockscope::tests {

namespace {

std::int64_t adler(std::string_view bytes)
{
    return static_cast<std::int64_t>(
        ::adler32_z(1, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

void worldAcl(jute::Writer& out) { out.int32(1).int32(31).buffer("world").buffer("anyone"); }

} // namespace

std::string LogWriter::head() { return jute::Writer().int32(0x5A4B4C47).int32(2).int64(0).bytes(); }

LogWriter& LogWriter::record(std::string_view bytes)
{
    m_file += jute::Writer()
                  .int64(adler(bytes))
                  .int32(static_cast<std::int32_t>(bytes.size()))
                  .raw(bytes)
                  .raw("B")
                  .bytes();
    return *this;
}

LogWriter& LogWriter::txn(std::int64_t session, std::int32_t cxid, std::int32_t type,
                          const jute::Writer& body)
{
    jute::Writer out;
    out.int64(session).int32(cxid).int64(m_zxid++).int64(kStartMs + m_ms).int32(type).raw(body.bytes());
    return record(out.bytes());
}

LogWriter& LogWriter::open(std::int64_t session) { return txn(session, 0, -10, jute::Writer().int32(30000)); }

LogWriter& LogWriter::create(std::int64_t session, const std::string& path, bool ephemeral,
                             std::int32_t parentCversion, std::string_view data)
{
    jute::Writer body;
    body.buffer(path).buffer(data);
    worldAcl(body);
    body.boolean(ephemeral).int32(parentCversion);
    return txn(session, 3, 1, body);
}

LogWriter& LogWriter::queue(std::int64_t session, const std::string& path, std::string_view data)
{
    const auto number = static_cast<std::uint32_t>(queue::numberOf(path).value().value);
    return create(session, path, true, static_cast<std::int32_t>(number + 1), data);
}

LogWriter& LogWriter::container(std::int64_t session, const std::string& path)
{
    jute::Writer body;
    body.buffer(path).buffer("");
    worldAcl(body);
    body.int32(1);
    return txn(session, 3, 19, body);
}

LogWriter& LogWriter::remove(std::int64_t session, const std::string& path)
{
    return txn(session, 4, 2, jute::Writer().buffer(path));
}

LogWriter& LogWriter::set(std::int64_t session, const std::string& path, std::string_view data)
{
    return txn(session, 5, 5, jute::Writer().buffer(path).buffer(data).int32(1));
}

LogWriter& LogWriter::close(std::int64_t session, std::int32_t cxid, const std::vector<std::string>& paths)
{
    jute::Writer body;
    if (!paths.empty()) {
        body.int32(static_cast<std::int32_t>(paths.size()));
        for (const std::string& path : paths)
            body.buffer(path);
    }
    return txn(session, cxid, -11, body);
}

LogWriter& LogWriter::error(std::int64_t session, std::int32_t code)
{
    return txn(session, 6, -1, jute::Writer().int32(code));
}

std::filesystem::path LogWriter::writeTo(const std::filesystem::path& folder, std::int64_t firstZxid) const
{
    char name[17]{};
    std::to_chars(name, name + 16, firstZxid, 16);
    const std::filesystem::path path = folder / (std::string("log.") + name);
    writeBytes(path, m_file);
    return path;
}

void writeBytes(const std::filesystem::path& path, std::string_view bytes)
{
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string snapshotBytes(const std::vector<SnapshotEntry>& nodes)
{
    jute::Writer out;
    out.int32(0x5A4B534E).int32(2).int64(-1);
    out.int32(1).int64(1).int32(30000);
    out.int32(1).int64(1).int32(1).int32(31).buffer("world").buffer("anyone");
    for (const SnapshotEntry& node : nodes) {
        out.buffer(node.path).buffer(node.data).int64(1).int64(node.czxid).int64(node.czxid);
        out.int64(node.ctimeMs)
            .int64(node.ctimeMs)
            .int32(0)
            .int32(node.cversion)
            .int32(0)
            .int64(node.owner)
            .int64(node.czxid);
    }
    out.buffer("/");
    out.int64(adler(out.bytes())).buffer("/");
    out.int64(9).int32(2).int64(12345);
    out.int64(adler(out.bytes())).buffer("/");
    return out.bytes();
}

} // namespace lockscope::tests
