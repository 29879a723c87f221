#include "ui/compare/compare_verdict_view.h"

#include "ui/compare/compare_bars.h"
#include "ui/compare/compare_table_model.h"
#include "ui/models/look.h"

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

constexpr int kHeader = 24;
constexpr int kAround = 16; // margins above and below, both
constexpr int kBarsHigh = 180;
constexpr int kLowestRow = 17;
constexpr int kTallestRow = 28;
constexpr int kWidestValue = 340;
constexpr int kBesideWords = 10;

// A thin line below every row, and nothing else around the cells.
class RowDelegate : public QStyledItemDelegate
{
public:
    RowDelegate(Look* look, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_look(look)
    {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->fillRect(option.rect, m_look->palette().selection);
        }
        painter->setPen(m_look->palette().grid);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        const QRect words = option.rect.adjusted(kBesideWords, 0, -kBesideWords, 0);
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
        return {words + 2 * kBesideWords, QStyledItemDelegate::sizeHint(option, index).height()};
    }

private:
    Look* m_look;
};

// A style sheet's header cuts its words at the left where they are aligned right.
class ElidedHeader : public QHeaderView
{
public:
    ElidedHeader(Look* look, QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent)
        , m_look(look)
    {}

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const auto told = [&](int role) { return model()->headerData(section, orientation(), role); };
        const Palette& palette = m_look->palette();
        painter->save();
        painter->fillRect(rect, palette.card);
        painter->setPen(palette.grid);
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(palette.textMuted);
        const QRect words = rect.adjusted(kBesideWords, 0, -kBesideWords, 0);
        painter->drawText(words, told(Qt::TextAlignmentRole).value<Qt::Alignment>(),
                          painter->fontMetrics().elidedText(told(Qt::DisplayRole).toString(), Qt::ElideRight,
                                                            words.width()));
        painter->restore();
    }

private:
    Look* m_look;
};

} // namespace

CompareVerdictView::CompareVerdictView(const replay::Comparison& comparison, const ComparedLoad& load,
                                       const QString& a, const QString& b, Look* look, QWidget* parent)
    : QWidget(parent)
    , m_look(look)
    , m_table(new QTableView(this))
    , m_difference(
          button("differenceButton", tr("Show the difference"),
                 tr("Goes to a typical release with a long queue in both runs; off: the whole runs.")))
{
    m_difference->setCheckable(true);
    buildTable(new CompareTableModel(comparison, load, a, b, look, m_table));
    auto* html = button("htmlButton", tr("Save as HTML"),
                        tr("Writes this page into one file that any browser shows."));
    auto* pictures = button("picturesButton", tr("Save pictures"),
                            tr("Writes the page and each of its parts as PNG and SVG files."));
    connect(m_difference, &QPushButton::toggled, this, &CompareVerdictView::differenceWanted);
    connect(html, &QPushButton::clicked, this, &CompareVerdictView::htmlWanted);
    connect(pictures, &QPushButton::clicked, this, &CompareVerdictView::picturesWanted);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* one : {m_difference, html, pictures}) {
        buttons->addWidget(one);
    }
    buttons->addStretch(1);
    auto* aside = new QVBoxLayout;
    aside->addSpacing(6);
    auto* bars = new CompareBars(replay::judged(comparison, load.match), a, b, look, this);
    bars->setMaximumHeight(kBarsHigh);
    aside->addWidget(bars, 1);
    aside->addSpacing(6);
    aside->addStretch(0);
    aside->addLayout(buttons);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 18, 12);
    row->setSpacing(40);
    row->addWidget(m_table, 17);
    row->addLayout(aside, 10);
    connect(look, &Look::changed, this, &CompareVerdictView::applyLook);
    applyLook();
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
    m_table->setAccessibleName(tr("Verdict"));
    m_table->setHorizontalHeader(new ElidedHeader(m_look, m_table));
    m_table->setModel(model);
    m_table->setItemDelegate(new RowDelegate(m_look, m_table));
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setMinimumSectionSize(kLowestRow);
    QHeaderView* header = m_table->horizontalHeader();
    header->setFixedHeight(kHeader);
    header->setSectionsClickable(false);
    header->setHighlightSections(false);
    header->setMinimumSectionSize(86);
    header->setMaximumSectionSize(kWidestValue);
    header->setSectionResizeMode(QHeaderView::Stretch);
    for (const int column : {CompareTableModel::measureColumn, CompareTableModel::ratioColumn}) {
        header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
}

void CompareVerdictView::applyLook()
{
    const Palette& palette = m_look->palette();
    m_table->setStyleSheet(QStringLiteral("QTableView { background: %1; } QHeaderView { background: %1; } "
                                          "QHeaderView::section { background: %1; color: %2; border: none; "
                                          "border-bottom: 1px solid %3; padding: 0 10px; font-weight: 600; }")
                               .arg(palette.card.name(), palette.textMuted.name(), palette.grid.name()));
}

void CompareVerdictView::setShowsDifference(bool on)
{
    m_difference->setChecked(on);
    m_difference->setText(on ? tr("Show the whole runs") : tr("Show the difference"));
    m_difference->setAccessibleName(m_difference->text());
}

QSize CompareVerdictView::minimumSizeHint() const
{
    return {640, kHeader + kAround + static_cast<int>(replay::kMeasures) * kLowestRow};
}

void CompareVerdictView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitRows();
}

// All rows at once where there is room for them.
void CompareVerdictView::fitRows()
{
    const int rows = m_table->model()->rowCount();
    const int room = (height() - kHeader - kAround) / std::max(rows, 1);
    m_table->verticalHeader()->setDefaultSectionSize(std::clamp(room, kLowestRow, kTallestRow));
}

} // namespace lockscope::ui
