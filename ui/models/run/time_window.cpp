#include "ui/models/run/time_window.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

void TimeWindow::setTraceBegin(TraceTime begin)
{
    const Shown before = shown();
    m_traceBegin = std::max(begin, TraceTime::zero());
    clampAndNotify(before);
}

void TimeWindow::setTraceEnd(TraceTime end)
{
    const Shown before = shown();
    m_traceEnd = std::max(end, TraceTime::zero());
    clampAndNotify(before);
}

void TimeWindow::setDefaultLength(Duration length)
{
    if (m_chosen || length == m_length)
        return;
    const Shown before = shown();
    m_begin += (m_length - length) / 2;
    m_length = length;
    clampAndNotify(before);
}

void TimeWindow::zoom(double factor, TraceTime around)
{
    if (!(factor > 0.0) || !std::isfinite(factor))
        return;
    const Shown before = shown();
    const double longest = static_cast<double>(std::max(m_traceEnd, kDefaultLength).count());
    const double wanted = static_cast<double>(m_length.count()) * factor;
    const Duration length{
        static_cast<Duration::rep>(std::clamp(wanted, static_cast<double>(kMinLength.count()), longest))};
    const double place =
        static_cast<double>((around - m_begin).count()) / static_cast<double>(m_length.count());
    m_begin = around - Duration{static_cast<Duration::rep>(place * static_cast<double>(length.count()))};
    m_length = length;
    m_chosen = true;
    m_all = false;
    m_following = m_following && end() >= m_traceEnd;
    clampAndNotify(before);
}

void TimeWindow::pan(Duration by)
{
    const Shown before = shown();
    m_begin = std::clamp(m_begin + by, TraceTime::zero(), std::max(TraceTime::zero(), m_traceEnd - m_length));
    m_following = end() >= m_traceEnd;
    m_all = m_all && m_following;
    clampAndNotify(before);
}

void TimeWindow::show(TraceTime begin, TraceTime end)
{
    const Shown before = shown();
    m_begin = std::min(begin, end);
    m_length = std::max(end, begin) - m_begin;
    m_chosen = true;
    m_following = false;
    m_all = false;
    clampAndNotify(before);
}

void TimeWindow::centre(TraceTime at)
{
    if (m_all)
        return;
    const Shown before = shown();
    const TraceTime first = std::min(at, m_traceBegin);
    m_begin = std::clamp(at - m_length / 2, first, std::max(first, m_traceEnd - m_length));
    m_following = false;
    clampAndNotify(before);
}

void TimeWindow::showAll()
{
    const Shown before = shown();
    m_all = true;
    m_chosen = true;
    m_following = true;
    clampAndNotify(before);
}

void TimeWindow::setFollowing(bool on)
{
    const Shown before = shown();
    m_following = on;
    m_all = m_all && on;
    clampAndNotify(before);
}

void TimeWindow::reset()
{
    const Shown before = shown();
    m_begin = TraceTime::zero();
    m_length = kDefaultLength;
    m_traceBegin = m_traceEnd = TraceTime::zero();
    m_following = true;
    m_all = false;
    m_chosen = false;
    clampAndNotify(before);
}

void TimeWindow::clampAndNotify(const Shown& before)
{
    if (m_all)
        m_length = m_traceEnd - std::min(m_traceBegin, m_traceEnd);
    m_length = std::max(m_length, kMinLength);
    if (m_following)
        m_begin = m_traceEnd - m_length;
    m_begin = std::max(m_begin, TraceTime::zero());
    if (shown() != before)
        emit changed();
}

} // namespace lockscope::ui

#include "moc_time_window.cpp"
