#include "ui/models/whole_file.h"

namespace lockscope::ui {

bool WholeFile::add(const char* bytes, qsizetype count)
{
    constexpr qsizetype kBlock = 65'536;
    m_pending.append(bytes, count);
    return m_pending.size() < kBlock || flush();
}

// What a full disk takes of a block is no fault yet: only the next try has its reason.
bool WholeFile::flush()
{
    qsizetype done = 0;
    while (done < m_pending.size()) {
        const qint64 written = m_file.write(m_pending.constData() + done, m_pending.size() - done);
        if (written <= 0)
            return false;
        done += written;
    }
    m_pending.clear();
    return true;
}

} // namespace lockscope::ui
