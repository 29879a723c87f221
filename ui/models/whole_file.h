// A file that is there whole or not at all; of a disk that is full it says so. (A QSaveFile that buffers takes
// half of a block for an unknown error.) One thread.
#pragma once

#include <QByteArray>
#include <QSaveFile>
#include <QString>

namespace lockscope::ui {

// Why the last call of this file or of the system failed, in the system's own English: an Error is told in
// the person's language where it is shown. At once after that call.
QString systemsReason(const QFileDevice& file);

class WholeFile
{
public:
    explicit WholeFile(const QString& path)
        : m_file(path)
    {}
    bool open();
    bool add(const char* bytes, qsizetype count);
    bool commit();
    bool put(const QByteArray& all) { return open() && add(all.constData(), all.size()) && commit(); }
    QString path() const { return m_file.fileName(); }
    QString fault() const { return m_fault; } // in English

private:
    bool flush();
    bool done(bool well);
    QSaveFile m_file;
    QByteArray m_pending;
    QString m_fault;
};

} // namespace lockscope::ui
