#include "ui/chain/algorithm_view.h"

#include "ui/chain/chain_text.h"
#include "ui/models/breakpoints.h"
#include "ui/models/client_status.h"
#include "ui/models/format.h"
#include "ui/models/retranslate.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace lockscope::ui {

namespace {

constexpr double kDot = 5;
constexpr int kOverhang = 2; // of letters over a low line
constexpr int kNothingMargin = 16;

bool isKeyword(QStringView word)
{
    static constexpr std::array<std::u16string_view, 4> kWords{u"if", u"return", u"loop", u"continue"};
    return std::find(kWords.begin(), kWords.end(),
                     std::u16string_view(word.utf16(), static_cast<std::size_t>(word.size()))) !=
           kWords.end();
}

} // namespace

AlgorithmView::AlgorithmView(RunModel* model, Selection* selection, Breakpoints* breakpoints, Theme* theme,
                             QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_selection(selection)
    , m_breakpoints(breakpoints)
    , m_theme(theme)
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_bar->hide();
    connect(breakpoints, &Breakpoints::changed, this, &AlgorithmView::invalidate);
    connect(m_bar, &QScrollBar::valueChanged, this, &AlgorithmView::invalidate);
    onRetranslate(this, [this] { setAccessibleName(tr("Algorithm")); });
    connect(model, &RunModel::runChanged, this, &AlgorithmView::invalidate);
    connect(model, &RunModel::stateChanged, this, &AlgorithmView::follow);
    connect(selection, &Selection::changed, this, [this] {
        m_marked = nullptr;
        invalidate();
    });
    connect(theme, &Theme::changed, this, &AlgorithmView::invalidate);
    updateCaption();
}

QString AlgorithmView::caption() const { return m_caption; }

QSize AlgorithmView::sizeHint() const { return {440, 310}; }

QSize AlgorithmView::minimumSizeHint() const { return {260, 200}; }

void AlgorithmView::invalidate()
{
    m_dirty = true;
    updateCaption();
    if (isVisible())
        update();
}

void AlgorithmView::follow()
{
    if (m_dirty || !isVisible()) { // all of it will be drawn
        invalidate();
        return;
    }
    updateCaption();
    const std::vector<Row> before = m_rows;
    layOut();
    if (before.size() != m_rows.size())
        update();
    else
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (m_rows[i] != before[i])
                update(m_rows[i]
                           .rect.united(before[i].rect)
                           .toAlignedRect()
                           .adjusted(0, -kOverhang, 0, kOverhang));
}

void AlgorithmView::updateCaption()
{
    QString caption;
    if (const replay::ClientRow* client = m_model->state().client(m_selection->client()))
        caption =
            client->heldAt ? tr("%1: %2").arg(chain::ChainText::clientName(m_model->state(), client->id),
                                              stoppedAtText(*client->heldAt))
            : client->step == replay::Step::none
                ? tr("%1 is not at the lock").arg(chain::ChainText::clientName(m_model->state(), client->id))
                : tr("following %1").arg(chain::ChainText::clientName(m_model->state(), client->id));
    if (caption == m_caption)
        return;
    m_caption = caption;
    setAccessibleDescription(caption);
    emit captionChanged();
}

const std::vector<AlgorithmView::Row>& AlgorithmView::rows()
{
    if (m_dirty)
        layOut();
    return m_rows;
}

QPointF AlgorithmView::dotAt(const Row& row, std::size_t dot) const
{
    // From the right, where "+12" stands when there are more.
    double right = row.rect.right() - 18 * m_unit;
    if (row.more > 0)
        right -=
            m_theme->texts().width(m_theme->fonts().small, tr("+%1").arg(format::count(row.more))) + 5 * m_unit;
    return {right - static_cast<double>(dot) * kDotPitch * m_unit, row.rect.center().y()};
}

void AlgorithmView::drawCode(QPainter& painter, const Row& row, double left, double right) const
{
    const Palette& c = m_theme->palette();
    const QFont font = fontOf(row);
    const QString code = codeOf(*row.line);
    double x = left + row.line->indent * kIndent * m_unit;
    painter.setFont(font);
    const QString shown = m_theme->texts().width(font, code) <= right - x
                              ? code
                              : QFontMetricsF(font).elidedText(code, Qt::ElideRight, right - x);
    const qsizetype commentFrom = shown.indexOf(QLatin1String("  # "));
    for (qsizetype at = 0; at < shown.size();) {
        qsizetype end = at + 1;
        if (commentFrom >= 0 && at >= commentFrom)
            end = shown.size();
        else if (shown[at].isLetter())
            while (end < shown.size() && (shown[end].isLetterOrNumber() || shown[end] == u'_'))
                ++end;
        const QString word = shown.mid(at, end - at);
        if (commentFrom >= 0 && at >= commentFrom)
            painter.setPen(c.textMuted);
        else
            painter.setPen(row.line->title || isKeyword(word) ? c.wake : c.text);
        const double width = m_theme->texts().width(font, word);
        m_theme->texts().draw(painter, {x, row.rect.top(), width, row.rect.height()}, Qt::AlignVCenter, word);
        x += width;
        at = end;
    }
}

void AlgorithmView::drawDots(QPainter& painter, const Row& row) const
{
    const Palette& c = m_theme->palette();
    for (std::size_t i = 0; i < row.dots.size(); ++i) {
        const Dot& dot = row.dots[i];
        const QColor colour = c.client(dot.colour);
        const double size = std::min(kDot * m_unit, row.rect.height() * 0.36);
        painter.setPen(QPen(dot.frozen ? c.frozen : colour, 1.6 * m_unit));
        painter.setBrush(dot.frozen ? c.card : colour); // a frozen client's dot is hollow
        const double radius = size - (dot.frozen ? 0.5 : 0);
        painter.drawEllipse(dotAt(row, i), radius, radius);
        if (dot.held) { // two strokes, as on a pause button
            painter.setPen(QPen(c.card, 1.4 * m_unit));
            const QPointF middle = dotAt(row, i);
            for (const double x : {-1.6 * m_unit, 1.6 * m_unit})
                painter.drawLine(middle + QPointF(x, -2.6 * m_unit), middle + QPointF(x, 2.6 * m_unit));
        }
    }
    if (row.more > 0) {
        painter.setFont(m_theme->fonts().small);
        painter.setPen(c.textMuted);
        m_theme->texts().draw(painter, row.rect.adjusted(0, 0, -12 * m_unit, 0),
                             Qt::AlignRight | Qt::AlignVCenter, tr("+%1").arg(format::count(row.more)));
    }
}

void AlgorithmView::paintEvent(QPaintEvent* event)
{
    rows();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Palette& c = m_theme->palette();
    for (const QRect& part : event->region())
        painter.fillRect(part, c.card);
    if (m_rows.empty()) {
        painter.setFont(m_theme->fonts().text);
        painter.setPen(c.textMuted);
        painter.drawText(rect().adjusted(kNothingMargin, 0, -kNothingMargin, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Only watching: which recipe runs there is not known."));
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        if (!event->region().intersects(row.rect.toAlignedRect().adjusted(0, -kOverhang, 0, kOverhang)))
            continue;
        if (row.marked)
            painter.fillRect(row.rect, c.selection);
        drawStop(painter, row, m_pointed == static_cast<int>(i));
        if (row.marked) {
            const double x = 9 * m_unit, y = row.rect.center().y(),
                         d = std::min(5 * m_unit, row.rect.height() * 0.3);
            painter.setPen(Qt::NoPen);
            painter.setBrush(c.accent);
            painter.drawPolygon(QPolygonF{QPointF(x, y - d), QPointF(x + d * 1.7, y), QPointF(x, y + d)});
        }
        const double right =
            row.dots.empty() ? width() - 10 * m_unit : dotAt(row, row.dots.size() - 1).x() - 10 * m_unit;
        drawCode(painter, row, kCodeLeft * m_unit, right);
        drawDots(painter, row);
        if (hasFocus() && m_line == static_cast<int>(i)) {
            painter.setPen(QPen(c.accent, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(row.rect.adjusted(2.5, 0.5, -2.5, -0.5));
        }
    }
}

void AlgorithmView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_bar->setGeometry(width() - m_bar->sizeHint().width(), 0, m_bar->sizeHint().width(), height());
    m_marked = nullptr; // seen again in the new room
    invalidate();
}

void AlgorithmView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    invalidate();
}

ClientId AlgorithmView::clientAt(QPointF point)
{
    for (const Row& row : rows()) {
        if (!row.rect.contains(point))
            continue;
        for (std::size_t i = 0; i < row.dots.size(); ++i)
            if (std::abs(dotAt(row, i).x() - point.x()) <= kDotPitch * m_unit / 2)
                return row.dots[i].client;
    }
    return ClientId::none();
}

void AlgorithmView::mousePressEvent(QMouseEvent* event)
{
    if (const int row = gutterAt(event->position()); row >= 0 && event->button() == Qt::LeftButton)
        toggleBreakpoint(row);
    else if (const ClientId client = clientAt(event->position()); client.valid())
        m_selection->selectClient(client);
    else
        QWidget::mousePressEvent(event);
}

QString AlgorithmView::toolTipAt(QPoint point)
{
    const replay::RunState& state = m_model->state();
    if (const ClientId client = clientAt(point); client.valid())
        return chain::ChainText::clientName(state, client);
    for (const Row& row : rows()) {
        if (row.rect.contains(point) && point.x() < kCodeLeft * m_unit && !chain::gatesOf(*row.line).empty())
            return gutterTip(row);
        if (!row.rect.contains(point) || row.dots.empty())
            continue;
        QStringList names;
        for (const Dot& dot : row.dots)
            names << chain::ChainText::clientName(state, dot.client);
        const QString list = names.join(QStringLiteral(", "));
        return row.more > 0 ? tr("%1 and %2 more").arg(list, format::count(row.more)) : list;
    }
    return {};
}

bool AlgorithmView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const QString text = toolTipAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), Qt::convertFromPlainText(text), this); // names stay plain text
    return true;
}

} // namespace lockscope::ui
