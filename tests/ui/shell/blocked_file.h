// A file whose reader or writer waits until the test lets it go on: a FIFO without a writer, or from which no
// one reads what is written (more than a pipe takes). A test that waits for it itself is let go after a
// while, and sees that it was.
#pragma once

#include <QFile>
#include <QString>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace lockscope::ui {

class BlockedFile
{
public:
    enum class BlockedSide { reader, writer };

    BlockedFile(const QTemporaryDir& folder, BlockedSide who)
        : m_path(folder.filePath("blocked.jsonl"))
        , m_who(who)
    {
        EXPECT_EQ(::mkfifo(QFile::encodeName(m_path).constData(), 0600), 0);
        if (m_who == BlockedSide::writer) {
            m_end = ::open(QFile::encodeName(m_path).constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
            ::fcntl(m_end, F_SETPIPE_SZ, 4096);
        }
        m_watch = std::jthread([this](const std::stop_token& stop) {
            std::unique_lock lock(m_mutex);
            if (!m_stopped.wait_for(lock, stop, std::chrono::seconds(20), [] { return false; }) &&
                !stop.stop_requested()) {
                m_timedOut = true;
                openOtherEnd();
            }
        });
    }
    ~BlockedFile() { release(); }

    const QString& path() const { return m_path; }
    // Of a writer: it has written as much as the pipe takes.
    bool isFull() const
    {
        int waiting = 0;
        return ::ioctl(m_end, FIONREAD, &waiting) == 0 && waiting >= ::fcntl(m_end, F_GETPIPE_SZ);
    }
    bool timedOut() const { return m_timedOut; } // a thread waited that must not
    void release()
    {
        m_watch.request_stop();
        if (m_watch.joinable()) {
            m_watch.join();
            openOtherEnd();
        }
    }

private:
    // Until the one that waits is there: a reader gets an empty file, what a writer writes is read.
    void openOtherEnd()
    {
        if (m_opened.exchange(true)) {
            return;
        }
        if (m_who == BlockedSide::reader) {
            ::close(::open(QFile::encodeName(m_path).constData(), O_WRONLY | O_CLOEXEC));
            return;
        }
        std::array<char, 4096> bytes{};
        ssize_t got = 0;
        for (bool any = false; !any || got != 0; any = any || got > 0) {
            pollfd ready{m_end, POLLIN, 0};
            ::poll(&ready, 1, 100);
            got = ::read(m_end, bytes.data(), bytes.size());
        }
        ::close(m_end);
    }

    QString m_path;
    BlockedSide m_who;
    int m_end = -1;
    std::atomic<bool> m_timedOut = false;
    std::atomic<bool> m_opened = false;
    std::mutex m_mutex;
    std::condition_variable_any m_stopped;
    std::jthread m_watch;
};

} // namespace lockscope::ui
