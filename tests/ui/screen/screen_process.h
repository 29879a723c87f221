// A display server as a child process of a window test, made before the QApplication. It ends with this
// object, or with the process that made it, however that ends.
#pragma once

#include <QProcess>

#include <stdexcept>

#include <signal.h>
#include <sys/prctl.h>

namespace lockscope::tests {

class ScreenProcess
{
public:
    static constexpr int kStartMs = 60'000;

    ScreenProcess(const QString& program, const QStringList& arguments)
    {
        m_process.setProgram(program);
        m_process.setArguments(arguments);
        m_process.setStandardInputFile(QProcess::nullDevice());
        m_process.setStandardErrorFile(QProcess::nullDevice());
        m_process.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_process.start();
        m_process.waitForStarted(kStartMs);
    }
    ~ScreenProcess()
    {
        m_process.terminate();
        m_process.waitForFinished(-1);
    }
    ScreenProcess(const ScreenProcess&) = delete;
    ScreenProcess& operator=(const ScreenProcess&) = delete;

    bool isRunning() { return !m_process.waitForFinished(0) && m_process.state() == QProcess::Running; }
    QByteArray firstLine() // of its standard output, when it is there; empty when the program ended
    {
        while (!m_process.canReadLine() && m_process.waitForReadyRead(kStartMs)) {
        }
        return m_process.readLine().trimmed();
    }

private:
    QProcess m_process;
};

// Both programs are Debian packages of the same name in small letters.
[[noreturn]] inline void failToStart(const std::string& program, const std::string& package)
{
    throw std::runtime_error(program + " did not start; it is in Debian's package " + package);
}

} // namespace lockscope::tests
