#include "tests/faults/txn_log.h"

#include <charconv>
#include <stdexcept>
#include <utility>

namespace lockscope::tests {

namespace {

constexpr std::string_view kPrefix = "log.";

// The zxid in the name of a log file; 0 for any other file.
std::uint64_t numberOf(const std::string& name)
{
    std::uint64_t number = 0;
    if (name.starts_with(kPrefix))
        std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number, 16);
    return number;
}

Txn::Kind kindOf(history::ChangeKind kind)
{
    switch (kind) {
    case history::ChangeKind::created:
        return Txn::Kind::created;
    case history::ChangeKind::removed:
        return Txn::Kind::deleted;
    case history::ChangeKind::dataSet:
        return Txn::Kind::dataSet;
    case history::ChangeKind::aclSet:
        break;
    }
    return Txn::Kind::other;
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
        if (m_file)
            readFile(visit);
        if (next.path.empty())
            return;
        auto file = std::make_unique<history::LogFile>(next.path);
        if (file->mayGrow())
            return; // its head is still to be written
        if (!file->isLog())
            throw std::runtime_error("the server's log " + next.path.string() + " cannot be read");
        m_file = std::move(file);
        m_number = next.number;
    }
}

// The next file; without a path when there is none.
TxnLog::File TxnLog::newerFile() const
{
    File next;
    std::error_code notThere; // the folder is made with the first transaction
    for (const auto& entry : std::filesystem::directory_iterator(m_folder, notThere)) {
        const std::uint64_t number = numberOf(entry.path().filename().string());
        if (number > m_number && (next.path.empty() || number < next.number))
            next = {entry.path(), number};
    }
    return next;
}

void TxnLog::readFile(const Visitor& visit)
{
    history::LogFile::Record record;
    while (m_file->next(record)) {
        history::decode(record.bytes, m_transaction);
        m_bytes += record.bytes.size();
        Txn txn;
        txn.zxid = m_transaction.zxid;
        txn.session = m_transaction.session;
        if (m_transaction.type == OpCode::closeSession)
            txn.kind = Txn::Kind::sessionClosed;
        if (m_transaction.changes.empty())
            visit(txn);
        for (const history::Change& change : m_transaction.changes) {
            txn.kind = kindOf(change.kind);
            txn.ephemeral = change.ephemeral;
            txn.path = change.path;
            txn.data = change.data;
            visit(txn);
        }
    }
    if (!m_file->takeDamage().empty())
        throw std::runtime_error("the server's log " + m_file->path().string() + " is damaged");
}

} // namespace lockscope::tests
