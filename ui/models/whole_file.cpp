#include "ui/models/whole_file.h"

#include <cerrno>
#include <cstring>

namespace lockscope::ui {

QString systemsReason(const QFileDevice& file)
{
    const char* reason = errno != 0 ? strerrordesc_np(errno) : nullptr;
    return reason ? QString::fromLatin1(reason) : file.errorString();
}

bool WholeFile::done(bool well)
{
    if (!well && m_fault.isEmpty())
        m_fault = systemsReason(m_file);
    return well;
}

bool WholeFile::open()
{
    errno = 0;
    return done(m_file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
}

bool WholeFile::commit()
{
    if (!flush())
        return false;
    errno = 0;
    return done(m_file.commit());
}

bool WholeFile::add(const char* bytes, qsizetype count)
{
    constexpr qsizetype kBlock = 65'536;
    m_pending.append(bytes, count);
    return m_pending.size() < kBlock || flush();
}

// What a full disk takes of a block is no fault yet: only the next try has its reason.
bool WholeFile::flush()
{
    qsizetype all = 0;
    while (all < m_pending.size()) {
        errno = 0;
        const qint64 written = m_file.write(m_pending.constData() + all, m_pending.size() - all);
        if (!done(written > 0))
            return false;
        all += written;
    }
    m_pending.clear();
    return true;
}

} // namespace lockscope::ui
