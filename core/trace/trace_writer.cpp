#include "core/trace/event_codec.h"
#include "core/trace/trace_file.h"

#include <algorithm>
#include <system_error>

namespace lockscope::trace {

namespace {

constexpr std::size_t kFlushBytes = 256 * 1024;

Error traceError(const std::filesystem::path& path, std::error_code error)
{
    OutputProblem problem = describeOutputProblem(path, error);
    return {ErrorCode::ioFailed,
            message("The trace cannot be written to %1: %2.", problem.file, problem.reason),
            std::move(problem.hint)};
}

Header writtenHeader(const TraceStore& store)
{
    Header header = store.header();
    if (store.writtenSessionNames())
        header.sessionIds = SessionIds::pseudonyms;
    return header;
}

std::size_t lineCount(std::string_view text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

Result<std::unique_ptr<TraceWriter>> TraceWriter::create(const std::filesystem::path& path,
                                                         const TraceStore& store)
{
    std::unique_ptr<TraceWriter> writer(new TraceWriter(path, store));
    if (const std::error_code error = writer->m_file.open(path, {.growing = true, .waitForReader = true}))
        return traceError(path, error);
    return writer;
}

TraceWriter::TraceWriter(std::filesystem::path path, const TraceStore& store)
    : m_path(std::move(path))
    , m_store(store)
{}

TraceWriter::~TraceWriter() = default;

Result<std::size_t> TraceWriter::pump()
{
    // The header is constant only once the first event is published, so it goes out with that one.
    const std::size_t count = m_store.count();
    while (m_encoded < count || !m_pending.empty()) {
        // Limits m_pending: while the disk accepts nothing, the events wait in the store and not here as
        // text.
        while (m_encoded < count && m_pending.size() < kFlushBytes) {
            if (m_encoded == 0)
                m_pending = headerLine(writtenHeader(m_store)) + '\n';
            appendEventLine(m_pending, m_store.at(m_encoded++), m_store.writtenSessionNames());
            m_pending += '\n';
        }
        const Result<void> flushed = flush();
        if (flushed) {
            m_failed = false;
            continue;
        }
        if (std::exchange(m_failed, true))
            return m_written;
        return flushed.error();
    }
    return m_written;
}

Result<void> TraceWriter::flush()
{
    std::error_code error;
    const std::size_t taken = m_file.writeSome(m_pending, error);
    std::size_t kept = taken;
    if (taken > 0 && taken < m_pending.size()) {
        // Part of a line was written: remove it, so that the file ends with a complete line. A pipe cannot be
        // truncated; there the rest of the line follows.
        const std::size_t whole = m_pending.rfind('\n', taken - 1) + 1; // 0 if no line is complete
        if (taken > whole && m_file.truncateBy(taken - whole))
            kept = whole;
    }
    m_pending.erase(0, kept);
    m_written = m_encoded - std::min(m_encoded, lineCount(m_pending));
    if (!error)
        return {};
    return traceError(m_path, error);
}

Result<void> TraceWriter::finish()
{
    if (m_written < m_store.count() && !m_file.isNewAndGrowing()) {
        m_file.discard();
        return {};
    }
    if (const std::error_code error = m_file.commit())
        return traceError(m_path, error);
    return {};
}

namespace {

std::error_code writeTrace(OutputFile& file, const TraceStore& store, std::size_t count)
{
    std::string text = headerLine(writtenHeader(store)) + '\n';
    for (std::size_t i = 0; i < count; ++i) {
        appendEventLine(text, store.at(i), store.writtenSessionNames());
        text += '\n';
        if (text.size() < kFlushBytes)
            continue;
        if (const std::error_code error = file.write(text))
            return error;
        text.clear();
    }
    return file.write(text);
}

} // namespace

Result<void> saveTrace(const std::filesystem::path& path, const TraceStore& store, std::size_t count)
{
    OutputFile file;
    std::error_code error = file.open(path);
    if (!error)
        error = writeTrace(file, store, std::min(count, store.count()));
    if (!error)
        error = file.commit();
    if (error)
        return traceError(path, error);
    return {};
}

} // namespace lockscope::trace
