#include "tests/bench/event_costs.h"

#include <QEvent>
#include <QMetaEnum>
#include <QObject>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr std::size_t kParts = 40;   // printed
constexpr std::size_t kSlowest = 50; // one frame in so many is a slow one

// A viewport or a timer says nothing by its own class.
QString nameOf(const QObject* object)
{
    QString name = QLatin1String(object->metaObject()->className());
    if (object->parent() && name.startsWith(u'Q'))
        name.prepend(QLatin1String(object->parent()->metaObject()->className()) + QStringLiteral(" > "));
    return name.remove(QStringLiteral("lockscope::ui::"));
}

double milliseconds(Duration time) { return static_cast<double>(time.count()) / 1e6; }

} // namespace

Duration threadCpuTime()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + Duration(now.tv_nsec);
}

bool EventCosts::notify(QObject* receiver, QEvent* event)
{
    if (!m_counting)
        return QApplication::notify(receiver, event);
    const QString name = nameOf(receiver); // the receiver may be gone afterwards
    const QEvent::Type type = event->type();
    const Duration outer = std::exchange(m_inner, Duration::zero());
    const Duration before = threadCpuTime();
    const bool accepted = QApplication::notify(receiver, event);
    const Duration spent = threadCpuTime() - before;
    add(name, type, spent - m_inner);
    m_inner = outer + spent;
    return accepted;
}

void EventCosts::add(const QString& name, QEvent::Type type, Duration spent)
{
    const char* kind = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    m_now[QStringLiteral("%1 %2").arg(name, QLatin1String(kind ? kind : "?"))] += spent;
}

void EventCosts::nextFrame() { m_frames.push_back(std::exchange(m_now, {})); }

void EventCosts::print() const
{
    const auto total = [](const Frame& frame) {
        Duration sum{};
        for (const auto& [part, spent] : frame)
            sum += spent;
        return sum;
    };
    std::vector<Frame> frames = m_frames;
    std::sort(frames.begin(), frames.end(),
              [&](const Frame& a, const Frame& b) { return total(a) > total(b); });
    const std::size_t slow = std::max<std::size_t>(1, frames.size() / kSlowest);
    std::map<QString, std::pair<Duration, Duration>> parts; // in all, in the slowest
    for (std::size_t i = 0; i < frames.size(); ++i) {
        for (const auto& [part, spent] : frames[i]) {
            parts[part].first += spent;
            parts[part].second += i < slow ? spent : Duration::zero();
        }
    }
    std::vector<std::pair<Duration, QString>> order;
    for (const auto& [part, spent] : parts)
        order.emplace_back(spent.second, part);
    std::sort(order.rbegin(), order.rend());
    std::printf("%-72s %9s %12s\n", "", "mean ms", "slowest 2 %");
    for (std::size_t i = 0; i < std::min(order.size(), kParts); ++i) {
        const auto& [all, slowest] = parts[order[i].second];
        std::printf("%-72s %9.3f %12.3f\n", qPrintable(order[i].second),
                    milliseconds(all) / static_cast<double>(frames.size()),
                    milliseconds(slowest) / static_cast<double>(slow));
    }
}

} // namespace lockscope::ui
