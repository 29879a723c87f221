// The lines of the algorithm with who is at them, laid out for the size of the view.
#include "ui/chain/algorithm_view.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QHash>
#include <QKeyEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lockscope::ui {

void AlgorithmView::layOut()
{
    m_dirty = false;
    m_unit = std::max(0.8, QFontMetricsF(m_theme->fonts().text).height() / 16.0);
    const replay::RunState& state = m_model->state();
    const replay::LockRow* lock = state.lock(m_selection->lock());
    if (lock && lock->watched) { // nobody knows which one runs there
        m_rows.clear();
        return;
    }
    const auto& lines =
        chain::algorithmLines(lock ? lock->recipe : replay::Text{}, lock ? lock->handoff : replay::Text{});
    const auto count = static_cast<double>(lines.size());
    m_zoom = zoomFor(lines);
    m_unit *= m_zoom;
    const double pitch =
        std::clamp((height() - 2 * kMargin * m_unit) / count, kMinLineHeight * m_unit, kLine * m_unit);
    m_rows.assign(lines.size(), {});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        m_rows[i].line = &lines[i];
        m_rows[i].rect = {0, kMargin * m_unit + static_cast<double>(i) * pitch, static_cast<double>(width()),
                          pitch};
    }
    std::array<int, 16> lineOfStep{};
    for (std::size_t step = 0; step < lineOfStep.size(); ++step)
        lineOfStep[step] = chain::lineOf(lines, static_cast<replay::Step>(step));
    for (const replay::ClientRow& client : state.clients) {
        const replay::Step step = client.heldAt ? chain::stepOf(*client.heldAt) : client.step;
        const int line = lineOfStep[static_cast<std::size_t>(step) % lineOfStep.size()];
        if (line < 0 || (client.lock.valid() && client.lock != m_selection->lock()))
            continue;
        Row& row = m_rows[static_cast<std::size_t>(line)];
        const bool selected = client.id == m_selection->client();
        const Dot dot{client.id, client.colour, client.frozen, client.heldAt.has_value()};
        row.marked = row.marked || selected;
        if (selected)
            row.dots.insert(row.dots.begin(), dot);
        else if (row.dots.size() <= kMaxDots)
            row.dots.push_back(dot);
        else
            ++row.more;
    }
    for (Row& row : m_rows) {
        if (row.more == 0 && row.dots.size() <= kMaxDots)
            continue;
        row.more += row.dots.size() - (kMaxDots - 1);
        row.dots.resize(kMaxDots - 1);
    }
    fitDots();
    markStops();
    scroll();
}

// A view with room to spare gets larger letters, as far as the longest line stays whole beside its dots.
double AlgorithmView::zoomFor(const std::vector<chain::AlgorithmLine>& lines) const
{
    constexpr double kMaxZoom = 1.35, kStep = 0.05, kDotsBeside = 4;
    QFont bold = m_theme->fonts().mono;
    bold.setBold(true);
    double widest = 1;
    for (const chain::AlgorithmLine& line : lines)
        widest = std::max(widest, kCodeLeft * m_unit + line.indent * kIndent * m_unit +
                                      m_theme->texts().width(bold, codeOf(line)));
    const double high = static_cast<double>(lines.size()) * kLine * m_unit + 2 * kMargin * m_unit;
    const double zoom =
        std::min(height() / high, width() / (widest + (18 + kDotsBeside * kDotPitch) * m_unit));
    return std::clamp(std::floor(zoom / kStep) * kStep, 1.0, kMaxZoom);
}

// In a view too low for all lines: down to the marked one and the one after it, as far as nobody scrolls.
void AlgorithmView::scroll()
{
    const double hidden = m_rows.empty() ? 0 : m_rows.back().rect.bottom() + kMargin * m_unit - height();
    const auto marked = std::find_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.marked; });
    const QSignalBlocker silent(m_bar);
    m_bar->setRange(0, std::max(0, static_cast<int>(std::ceil(hidden))));
    m_bar->setPageStep(height());
    m_bar->setSingleStep(static_cast<int>(kMinLineHeight * m_unit));
    m_bar->setVisible(m_bar->maximum() > 0);
    if (marked != m_rows.end() && std::exchange(m_marked, marked->line) != marked->line)
        m_bar->setValue(
            static_cast<int>(std::ceil(marked->rect.bottom() + marked->rect.height() - height())));
    for (Row& row : m_rows)
        row.rect.translate(0, -m_bar->value());
}

void AlgorithmView::wheelEvent(QWheelEvent* event) { QCoreApplication::sendEvent(m_bar, event); }

// The code says what the dots are at: of those, as many as leave room for it.
void AlgorithmView::fitDots()
{
    for (Row& row : m_rows) {
        const double code = kCodeLeft * m_unit + row.line->indent * kIndent * m_unit +
                            m_theme->texts().width(fontOf(row), codeOf(*row.line)) + 10 * m_unit;
        while (row.dots.size() > 1 && dotAt(row, row.dots.size() - 1).x() - 8 * m_unit < code) {
            row.dots.pop_back();
            ++row.more;
        }
    }
}

QFont AlgorithmView::fontOf(const Row& row) const
{
    QFont font = m_theme->fonts().mono;
    font.setPointSizeF(font.pointSizeF() * m_zoom);
    // A low view gets smaller letters, not cut ones.
    if (row.rect.height() < 18 * m_unit)
        font.setPointSizeF(font.pointSizeF() * row.rect.height() / (18 * m_unit));
    font.setBold(row.marked);
    return font;
}

QString AlgorithmView::codeOf(const chain::AlgorithmLine& line) const
{
    const QString comment = chain::commentOf(line);
    const QString code = QString::fromLatin1(line.code);
    return comment.isEmpty() ? code : code + QStringLiteral("  # ") + comment;
}

} // namespace lockscope::ui
