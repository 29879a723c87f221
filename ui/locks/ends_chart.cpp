#include "ui/locks/ends_chart.h"

#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"

#include <QPainter>

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kRow = 22;
constexpr int kRows = 8;
constexpr int kSpace = 10;
constexpr int kBar = 10;
constexpr int kMinBarLength = 3;
} // namespace

EndsChart::EndsChart(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setObjectName("endsChart");
    theme->onChange(this, [this] { update(); });
    onRetranslate(this, [this] { describe(); });
}

void EndsChart::show(const history::EndCounts& ends)
{
    if (m_ends == ends)
        return;
    m_ends = ends;
    describe();
}

void EndsChart::describe()
{
    QStringList all;
    for (const Bar& bar : bars())
        all << tr("%1: %2").arg(bar.name, format::count(bar.count));
    setAccessibleName(tr("Why holds ended"));
    setAccessibleDescription(all.join(QStringLiteral(", ")));
    update();
}

QSize EndsChart::sizeHint() const { return {320, kRows * kRow + kSpace}; }

std::vector<EndsChart::Bar> EndsChart::bars() const
{
    const Palette& palette = m_theme->palette();
    //: a bar of "Why holds ended": the holder released the lock
    return {{tr("released"), m_ends.released, palette.holds},
            {tr("session closed by its client"), m_ends.sessionClosed, palette.textFaint},
            {tr("session expired"), m_ends.sessionExpired, palette.stale},
            {tr("deleted by another session"), m_ends.deletedByOther, palette.stale},
            {tr("still held at the end"), m_ends.open, palette.holdsSoft},
            //: a bar of "Why holds ended": they may have ended in a gap of the log
            {tr("end unknown"), m_ends.endUnknown, palette.textFaint},
            {tr("left the queue, never first"), m_ends.gaveUp, palette.waits},
            //: a bar of "Why holds ended": a gap of the log hides whether these nodes were ever first
            {tr("unknown whether it held"), m_ends.unknown, palette.textFaint}};
}

void EndsChart::paintEvent(QPaintEvent*)
{
    const std::vector<Bar> all = bars();
    const Palette& palette = m_theme->palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_theme->fonts().small);
    const QFontMetrics metrics = painter.fontMetrics();
    int names = 0, numbers = 0;
    std::uint64_t most = 1;
    for (const Bar& bar : all) {
        names = std::max(names, metrics.horizontalAdvance(bar.name));
        numbers = std::max(numbers, metrics.horizontalAdvance(format::count(bar.count)));
        most = std::max(most, bar.count);
    }
    const int left = names + kSpace;
    const int room = std::max(0, width() - left - kSpace - numbers);
    int y = kSpace / 2;
    for (const Bar& bar : all) {
        const QRect row(0, y, width(), kRow);
        painter.setPen(bar.count > 0 ? palette.text : palette.textMuted);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, bar.name);
        int length = 0;
        if (bar.count > 0) {
            length = std::max(kMinBarLength,
                              static_cast<int>(static_cast<double>(room) * static_cast<double>(bar.count) /
                                               static_cast<double>(most)));
            painter.setPen(Qt::NoPen);
            painter.setBrush(bar.colour);
            painter.drawRoundedRect(QRect(left, y + (kRow - kBar) / 2, length, kBar), 2, 2);
        }
        painter.setPen(palette.textMuted);
        painter.drawText(QRect(left + length + kSpace / 2, y, numbers + kSpace, kRow),
                         Qt::AlignLeft | Qt::AlignVCenter, format::count(bar.count));
        y += kRow;
    }
}

} // namespace lockscope::ui

#include "moc_ends_chart.cpp"
