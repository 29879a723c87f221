#include "ui/compare/compare_verdict_view.h"

#include "ui/compare/compare_bars.h"
#include "ui/compare/compare_table_model.h"
#include "ui/models/style/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kHeaderHeight = 24;
constexpr int kMinBarsHeight = 100;
constexpr int kMaxBarsHeight = 180;
constexpr int kBarsGap = 40; // between the table and the bars
constexpr int kMinTableRowHeight = 17;
constexpr int kMaxTableRowHeight = 28;
constexpr int kMinValueWidth = 86;
constexpr int kMaxValueWidth = 340;
constexpr int kCellPadding = 10;

// A thin line below every row, and nothing else around the cells.
class RowDelegate : public QStyledItemDelegate
{
public:
    RowDelegate(Theme* theme, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_theme(theme)
    {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->fillRect(option.rect, m_theme->palette().selection);
        }
        painter->setPen(m_theme->palette().grid);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        const QRect words = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
        painter->setFont(index.data(Qt::FontRole).value<QFont>());
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        painter->drawText(
            words, index.data(Qt::TextAlignmentRole).value<Qt::Alignment>(),
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, words.width()));
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QFontMetrics metrics(index.data(Qt::FontRole).value<QFont>());
        const int words = metrics.horizontalAdvance(index.data().toString()) + 1;
        return {words + 2 * kCellPadding, QStyledItemDelegate::sizeHint(option, index).height()};
    }

private:
    Theme* m_theme;
};

// Elides its texts: a header with a style sheet clips right-aligned ones at the left.
class ElidedHeader : public QHeaderView
{
public:
    ElidedHeader(Theme* theme, QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent)
        , m_theme(theme)
    {}

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const auto headerValue = [&](int role) { return model()->headerData(section, orientation(), role); };
        const Palette& palette = m_theme->palette();
        painter->save();
        painter->fillRect(rect, palette.card);
        painter->setPen(palette.grid);
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
        painter->setFont(strongFont(font()));
        painter->setPen(palette.textMuted);
        const QRect words = rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
        painter->drawText(words, headerValue(Qt::TextAlignmentRole).value<Qt::Alignment>(),
                          painter->fontMetrics().elidedText(headerValue(Qt::DisplayRole).toString(),
                                                            Qt::ElideRight, words.width()));
        painter->restore();
    }

private:
    Theme* m_theme;
};

} // namespace

CompareVerdictView::CompareVerdictView(const replay::Comparison& comparison, const ComparedLoad& load,
                                       const QString& a, const QString& b, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_table(new QTableView(this))
    , m_difference(button(
          "differenceButton", tr("Show Difference"),
          tr("Shows a typical release with a long queue in both runs. When off, shows the whole runs.")))
{
    m_difference->setCheckable(true);
    buildTable(new CompareTableModel(comparison, load, a, b, theme, m_table));
    auto* html =
        button("htmlButton", tr("Save as HTML…"), tr("Saves this page as one file for any browser."));
    auto* pictures = button("picturesButton", tr("Save Pictures…"),
                            tr("Saves the page and each of its parts as PNG and SVG files."));
    connect(m_difference, &QPushButton::toggled, this, &CompareVerdictView::differenceToggled);
    connect(html, &QPushButton::clicked, this, &CompareVerdictView::htmlRequested);
    connect(pictures, &QPushButton::clicked, this, &CompareVerdictView::picturesRequested);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* one : {m_difference, html, pictures}) {
        buttons->addWidget(one);
    }
    buttons->addStretch(1);
    auto* aside = new QVBoxLayout;
    aside->addSpacing(6);
    auto* bars = new CompareBars(replay::withoutWorkloadEffects(comparison, load.match), a, b, theme, this);
    bars->setMinimumHeight(kMinBarsHeight);
    bars->setMaximumHeight(kMaxBarsHeight);
    aside->addWidget(bars, 1);
    aside->addSpacing(6);
    aside->addStretch(0);
    aside->addLayout(buttons);
    m_row = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_row->setContentsMargins(8, 2, 18, 12);
    m_row->addWidget(m_table, 17);
    m_row->addLayout(aside, 10);
    m_besideWidth = m_table->minimumWidth() + kBarsGap + aside->minimumSize().width() +
                    m_row->contentsMargins().left() + m_row->contentsMargins().right();
    placeBars(true);
    connect(theme, &Theme::changed, this, &CompareVerdictView::applyTheme);
    applyTheme();
}

QPushButton* CompareVerdictView::button(const QString& name, const QString& words, const QString& explanation)
{
    auto* made = new QPushButton(words, this);
    made->setObjectName(name);
    made->setToolTip(explanation);
    made->setAccessibleName(words);
    made->setAccessibleDescription(explanation);
    return made;
}

void CompareVerdictView::buildTable(CompareTableModel* model)
{
    m_table->setObjectName("verdictTable");
    //: name for screen readers: the table that compares two runs
    m_table->setAccessibleName(tr("Verdict"));
    m_table->setHorizontalHeader(new ElidedHeader(m_theme, m_table));
    m_table->setModel(model);
    m_table->setItemDelegate(new RowDelegate(m_theme, m_table));
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setMinimumSectionSize(kMinTableRowHeight);
    QHeaderView* header = m_table->horizontalHeader();
    header->setFixedHeight(kHeaderHeight);
    header->setSectionsClickable(false);
    header->setHighlightSections(false);
    header->setMinimumSectionSize(kMinValueWidth);
    header->setMaximumSectionSize(kMaxValueWidth);
    header->setSectionResizeMode(QHeaderView::Stretch);
    int width = 2 * kMinValueWidth;
    for (const int column : {CompareTableModel::measureColumn, CompareTableModel::ratioColumn}) {
        header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        width += header->sectionSize(column);
    }
    m_table->setMinimumSize(width, kHeaderHeight + model->rowCount() * kMinTableRowHeight);
}

void CompareVerdictView::applyTheme()
{
    const Palette& palette = m_theme->palette();
    m_table->setStyleSheet(QStringLiteral("QTableView { background: %1; } QHeaderView { background: %1; } "
                                          "QHeaderView::section { background: %1; color: %2; border: none; "
                                          "border-bottom: 1px solid %3; padding: 0 10px; font-weight: 600; }")
                               .arg(palette.card.name(), palette.textMuted.name(), palette.grid.name()));
}

void CompareVerdictView::setShowsDifference(bool on)
{
    m_difference->setChecked(on);
    m_difference->setText(on ? tr("Show Whole Runs") : tr("Show Difference"));
    m_difference->setAccessibleName(m_difference->text());
}

QSize CompareVerdictView::minimumSizeHint() const
{
    const QMargins margins = m_row->contentsMargins();
    return {m_table->minimumWidth() + margins.left() + margins.right(), QWidget::minimumSizeHint().height()};
}

void CompareVerdictView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeBars(width() >= m_besideWidth);
    layout()->activate();
    fitRows();
}

// Beside the table, or below it where the window is narrow.
void CompareVerdictView::placeBars(bool beside)
{
    m_row->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_row->setSpacing(beside ? kBarsGap : 8);
}

// Makes the rows low enough to show all of them, if possible.
void CompareVerdictView::fitRows()
{
    const int rows = m_table->model()->rowCount();
    const int room = (m_table->height() - kHeaderHeight) / std::max(rows, 1);
    m_table->verticalHeader()->setDefaultSectionSize(
        std::clamp(room, kMinTableRowHeight, kMaxTableRowHeight));
}

} // namespace lockscope::ui

#include "moc_compare_verdict_view.cpp"
