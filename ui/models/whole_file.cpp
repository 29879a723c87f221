#include "ui/models/whole_file.h"

#include <QFile>

#include <cerrno>
#include <cstring>

namespace lockscope::ui {

QString systemsReason(const QFileDevice& file)
{
    const char* reason = errno != 0 ? strerrordesc_np(errno) : nullptr;
    return reason ? QString::fromLatin1(reason) : file.errorString();
}

bool WholeFile::done(std::error_code error)
{
    if (error && m_fault.isEmpty()) {
        const char* reason = strerrordesc_np(error.value());
        m_fault = reason ? QString::fromLatin1(reason) : QString::fromStdString(error.message());
    }
    return !error;
}

bool WholeFile::open() { return done(m_file.open(QFile::encodeName(m_path).toStdString())); }

bool WholeFile::commit() { return flush() && done(m_file.commit()); }

bool WholeFile::add(const char* bytes, qsizetype count)
{
    constexpr qsizetype kBlock = 65'536;
    m_pending.append(bytes, count);
    return m_pending.size() < kBlock || flush();
}

bool WholeFile::flush()
{
    const bool written =
        done(m_file.write({m_pending.constData(), static_cast<std::size_t>(m_pending.size())}));
    m_pending.clear();
    return written;
}

} // namespace lockscope::ui
