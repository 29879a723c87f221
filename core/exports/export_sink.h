// The destination of an export: receives its text in pieces, and progress reports. The exports open no files.
// Any thread, one at a time. Every export returns false as soon as `put` or `reportProgress` has; the text
// put until then is incomplete.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace lockscope::exports {

struct ExportSink
{
    std::function<bool(std::string_view text)> put; // false: the text cannot be written
    std::function<bool(double share)> reportProgress = [](double) {
        return true;
    }; // 0 to 1; false: cancelled
};

// Collects small pieces into large ones, and remembers when the sink has returned false.
class ExportWriter
{
public:
    explicit ExportWriter(const ExportSink& out)
        : m_out(out)
    {}

    std::string& text() { return m_text; } // to append to
    // Call it after each row or event, with the share of the work that is done. False: stop.
    bool step(double share)
    {
        if (m_text.size() >= kPiece)
            flush();
        if (++m_steps % kStepsPerProgress == 0)
            m_good = m_good && m_out.reportProgress(share);
        return m_good;
    }
    bool finish()
    {
        flush();
        return m_good && m_out.reportProgress(1.0);
    }

private:
    static constexpr std::size_t kPiece = 64 * 1024;
    static constexpr std::size_t kStepsPerProgress = 2048;
    void flush()
    {
        m_good = m_good && m_out.put(m_text);
        m_text.clear();
    }

    const ExportSink& m_out;
    std::string m_text;
    std::size_t m_steps = 0;
    bool m_good = true;
};

} // namespace lockscope::exports
