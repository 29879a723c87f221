// A file that is there whole or not at all; of a disk that is full it says so. (A QSaveFile that buffers takes
// half of a block for an unknown error.) One thread.
#pragma once

#include <QByteArray>
#include <QSaveFile>

namespace lockscope::ui {

class WholeFile
{
public:
    explicit WholeFile(const QString& path)
        : m_file(path)
    {}
    bool open() { return m_file.open(QIODevice::WriteOnly | QIODevice::Unbuffered); }
    bool add(const char* bytes, qsizetype count);
    bool commit() { return flush() && m_file.commit(); }
    bool put(const QByteArray& all) { return open() && add(all.constData(), all.size()) && commit(); }
    QString path() const { return m_file.fileName(); }
    QString fault() const { return m_file.errorString(); }

private:
    bool flush();
    QSaveFile m_file;
    QByteArray m_pending;
};

} // namespace lockscope::ui
