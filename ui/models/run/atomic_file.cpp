#include "ui/models/run/atomic_file.h"

#include <QFile>

#include <cerrno>
#include <cstring>

namespace lockscope::ui {

QString systemErrorText(const QFileDevice& file)
{
    const char* reason = errno != 0 ? strerrordesc_np(errno) : nullptr;
    return reason ? QString::fromLatin1(reason) : file.errorString();
}

bool AtomicFile::done(std::error_code error)
{
    if (error && m_fault.isEmpty()) {
        const char* reason = strerrordesc_np(error.value());
        m_fault = reason ? QString::fromLatin1(reason) : QString::fromStdString(error.message());
    }
    return !error;
}

bool AtomicFile::open() { return done(m_file.open(QFile::encodeName(m_path).toStdString())); }

bool AtomicFile::commit() { return flush() && done(m_file.commit()); }

bool AtomicFile::add(const char* bytes, qsizetype count)
{
    constexpr qsizetype kBlock = 65'536;
    m_pending.append(bytes, count);
    return m_pending.size() < kBlock || flush();
}

bool AtomicFile::flush()
{
    const bool written =
        done(m_file.write({m_pending.constData(), static_cast<std::size_t>(m_pending.size())}));
    m_pending.clear();
    return written;
}

} // namespace lockscope::ui
