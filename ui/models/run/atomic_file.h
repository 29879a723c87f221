// Writes a file atomically: it is complete or unchanged. Reports a full disk. Treats the target as OutputFile
// does. One thread.
#pragma once

#include "core/base/output_file.h"

#include <QByteArray>
#include <QString>

class QFileDevice;

namespace lockscope::ui {

// Why the last call on this file or of the system failed, in English: an Error is translated where it is
// shown. Call it immediately after the failed call, because it reads errno.
QString systemErrorText(const QFileDevice& file);

class AtomicFile
{
public:
    explicit AtomicFile(const QString& path)
        : m_path(path)
    {}
    bool open();
    bool add(const char* bytes, qsizetype count);
    bool commit();
    bool put(const QByteArray& all) { return open() && add(all.constData(), all.size()) && commit(); }
    QString path() const { return m_path; }
    QString fault() const { return m_fault; } // in English

private:
    bool flush();
    bool done(std::error_code error);
    QString m_path;
    OutputFile m_file;
    QByteArray m_pending;
    QString m_fault;
};

} // namespace lockscope::ui
