#include "ui/shell/presentation/presentation_view.h"

#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/widgets/elided_combo_box.h"

#include <QGraphicsProxyWidget>
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr double kScaleStep = 0.25;
constexpr int kMinChoiceLength = 8; // in characters
constexpr int kToolBarMargin = 6;
constexpr double kMaxToolBarScale = 1.75; // at a larger scale, it would not fit into 1280 pixels

} // namespace

PresentationView::PresentationView(DockArea* docks, Theme* theme, Settings settings, QWidget* parent)
    : QWidget(parent)
    , m_docks(docks)
    , m_theme(theme)
    , m_settings(settings)
    , m_view(new QGraphicsView(this))
    , m_pair(new QSplitter)
{
    setObjectName("presentationView");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    m_view->setScene(new QGraphicsScene(this));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_pair->setHandleWidth(DockArea::kGap);
    m_pair->setChildrenCollapsible(false);
    for (QWidget*& half : m_halves) {
        half = new QWidget(m_pair);
        // While the halves are empty, the pair would have no height. Qt unmaps an embedded widget without
        // width or height and never maps it again (QWidgetPrivate::setGeometry_sys(): WA_OutsideWSRange, then
        // not WA_Mapped), so that all updates of its contents would be discarded.
        half->setMinimumSize(1, 1);
        auto* card = new QVBoxLayout(half);
        card->setContentsMargins(0, 0, 0, 0);
        card->setSpacing(0);
        m_pair->addWidget(half);
    }
    m_proxy = m_view->scene()->addWidget(m_pair);
    makeToolBar();
    m_view->viewport()->installEventFilter(this);
    restoreSettings();
    connect(theme, &Theme::changed, m_view,
            [this] { m_view->setBackgroundBrush(m_theme->palette().window); });
    hide();
}

void PresentationView::restoreSettings()
{
    const QString first = m_settings.get(settings::kPresentationFirst);
    const QString second = m_settings.get(settings::kPresentationSecond);
    choose(1, m_chosen[1]);
    choose(1, second);
    choose(0, first);
    setScale(m_settings.get(settings::kPresentationScale));
    setSideBySide(m_settings.get(settings::kPresentationSideBySide));
}

// Does not return the cards: the docks may already be destroyed. The scene then destroys the borrowed
// contents.
PresentationView::~PresentationView() = default;

void PresentationView::makeToolBar()
{
    auto* toolBar = m_toolBar = new QWidget(this);
    auto* row = new QHBoxLayout(toolBar);
    row->setContentsMargins(DockArea::kGap, kToolBarMargin, DockArea::kGap, kToolBarMargin);
    for (std::size_t place : {0, 1}) {
        auto* choice = new ElidedComboBox(toolBar);
        choice->setObjectName(QString::fromLatin1(place == 0 ? "presentationFirst" : "presentationSecond"));
        choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        choice->setMinimumContentsLength(
            kMinChoiceLength); // narrow, because a lesson may take part of the width
        for (const DockCard* card : m_docks->cards())
            choice->addItem(card->windowTitle(), card->name());
        connect(choice, &QComboBox::currentIndexChanged, this, [this, place, choice](int index) {
            this->choose(place, choice->itemData(index).toString());
        });
        m_choices.at(place) = choice;
        row->addWidget(choice);
    }
    m_sideBySide = addButton(
        row, "presentationBeside", [] { return tr("Side by Side"); },
        [] { return tr("Places the two cards side by side, or one above the other."); });
    m_sideBySide->setCheckable(true);
    connect(m_sideBySide, &QToolButton::toggled, this, &PresentationView::setSideBySide);
    row->addStretch(1);
    const auto smaller = addButton(
        //: a button: draws everything smaller
        row, "presentationSmaller", [] { return tr("Smaller"); },
        [] { return tr("Draws everything smaller (Ctrl+-)."); });
    connect(smaller, &QToolButton::clicked, this, [this] { setScale(m_scale - kScaleStep); });
    const auto larger = addButton(
        //: a button: draws everything larger
        row, "presentationLarger", [] { return tr("Larger"); },
        [] { return tr("Draws everything larger (Ctrl++)."); });
    connect(larger, &QToolButton::clicked, this, [this] { setScale(m_scale + kScaleStep); });
    const auto leaving = addButton(
        //: a button: leaves the presentation
        row, "presentationLeave", [] { return tr("Leave"); },
        [] { return tr("Restores the cards as they were (Esc)."); });
    connect(leaving, &QToolButton::clicked, this, &PresentationView::closeRequested);
    layout()->addWidget(toolBar);
    onRetranslate(this, [this] { retranslate(); });
}

QToolButton* PresentationView::addButton(QLayout* toolBar, const char* name, QString (*text)(),
                                         QString (*tip)())
{
    auto* button = new QToolButton(this);
    button->setObjectName(QString::fromLatin1(name));
    onRetranslate(button, [button, text, tip] {
        button->setText(text());
        button->setToolTip(tip());
        button->setAccessibleName(text());
        button->setAccessibleDescription(tip());
    });
    toolBar->addWidget(button);
    return button;
}

void PresentationView::retranslate()
{
    m_view->setAccessibleName(tr("Two cards, large"));
    m_choices[0]->setAccessibleName(tr("First card"));
    m_choices[1]->setAccessibleName(tr("Second card"));
    for (QComboBox* choice : m_choices)
        for (int i = 0; i < choice->count(); ++i)
            choice->setItemText(i, m_docks->card(choice->itemData(i).toString())->windowTitle());
}

// ---- open and leave --------------------------------------------------------------------------------------

void PresentationView::open()
{
    if (m_open)
        return;
    m_open = true;
    for (std::size_t place : {0, 1})
        embedCard(place);
    m_view->setBackgroundBrush(m_theme->palette().window);
    retranslate();
    show();
    layOut();
    setFocus();
}

void PresentationView::leave()
{
    if (!m_open)
        return;
    m_open = false;
    for (std::size_t place : {0, 1})
        releaseCard(place);
    hide();
    if (const auto before = std::exchange(m_before, std::nullopt))
        showPair(*before);
}

void PresentationView::embedCard(std::size_t place)
{
    DockCard* card = m_docks->card(m_chosen.at(place));
    m_embedded.at(place) = card;
    auto* column = static_cast<QVBoxLayout*>(m_halves.at(place)->layout());
    const DockCard::Contents inside = card->takeContents();
    column->addWidget(inside.header);
    column->addWidget(inside.body, 1);
    inside.header->show();
    inside.body->show();
}

void PresentationView::releaseCard(std::size_t place)
{
    if (DockCard* card = std::exchange(m_embedded.at(place), nullptr))
        card->restoreContents();
}

// ---- what is shown, and how large ------------------------------------------------------------------------

void PresentationView::choose(std::size_t place, const QString& card)
{
    m_before.reset();
    exchange(place, card);
    m_settings.set(settings::kPresentationFirst, m_chosen[0]);
    m_settings.set(settings::kPresentationSecond, m_chosen[1]);
}

void PresentationView::showMeanwhile(const QString& first, const QString& second)
{
    if (!m_before)
        m_before = m_chosen;
    showPair({first, second.isEmpty() ? m_chosen[1] : second});
}

void PresentationView::showPair(const std::array<QString, 2>& cards)
{
    exchange(1, cards[1]);
    exchange(0, cards[0]);
}

void PresentationView::exchange(std::size_t place, const QString& card)
{
    if (!m_docks->card(card))
        return; // the settings may be from another version
    const std::size_t other = 1 - place;
    if (m_open)
        for (std::size_t each : {place, other})
            releaseCard(each);
    if (m_chosen.at(other) == card)
        m_chosen.at(other) = m_chosen.at(place);
    m_chosen.at(place) = card;
    for (std::size_t each : {place, other}) {
        const QSignalBlocker quiet(m_choices.at(each));
        m_choices.at(each)->setCurrentIndex(m_choices.at(each)->findData(m_chosen.at(each)));
        if (m_open)
            embedCard(each);
    }
}

void PresentationView::setScale(double scale)
{
    m_scale = std::clamp(std::isfinite(scale) ? scale : kDefaultScale, kMinScale, kMaxScale);
    m_settings.set(settings::kPresentationScale, m_scale);
    scaleToolBar();
    layOut();
    emit scaleChanged();
}

// The tool bar is outside the scene, but must be readable from the back row too.
void PresentationView::scaleToolBar()
{
    QFont font = m_theme->fonts().text;
    font.setPointSizeF(font.pointSizeF() * std::min(m_scale, kMaxToolBarScale));
    for (QWidget* part : m_toolBar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        part->setFont(font);
}

void PresentationView::setSideBySide(bool sideBySide)
{
    const QSignalBlocker quiet(m_sideBySide);
    m_sideBySide->setChecked(sideBySide);
    m_pair->setOrientation(sideBySide ? Qt::Horizontal : Qt::Vertical);
    m_settings.set(settings::kPresentationSideBySide, sideBySide);
    layOut();
}

void PresentationView::layOut()
{
    const QSizeF room = QSizeF(m_view->viewport()->size()) / m_scale;
    const double gap = DockArea::kGap;
    const QRectF place(gap, gap, std::max(1.0, room.width() - 2 * gap), std::max(1.0, room.height() - gap));
    m_view->setTransform(QTransform::fromScale(m_scale, m_scale));
    m_view->setSceneRect(QRectF(QPointF(0, 0), room));
    m_proxy->setGeometry(place);
    const bool beside = m_pair->orientation() == Qt::Horizontal;
    const int half = static_cast<int>((beside ? place.width() : place.height()) / 2);
    m_pair->setSizes({half, half});
}

QRect PresentationView::placeOf(const QWidget& embedded, const QRect& part) const
{
    if (!m_open || !m_pair->isAncestorOf(&embedded) || !embedded.isVisibleTo(m_pair))
        return {};
    const QRect inPair(embedded.mapTo(m_pair, part.topLeft()), part.size());
    const QPolygon shown = m_view->mapFromScene(m_proxy->mapToScene(QRectF(inPair)));
    return shown.boundingRect().translated(m_view->viewport()->mapTo(this, QPoint()));
}

bool PresentationView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        layOut();
    return QWidget::eventFilter(watched, event);
}

void PresentationView::keyPressEvent(QKeyEvent* event)
{
    const bool control = event->modifiers() & Qt::ControlModifier;
    if (event->key() == Qt::Key_Escape)
        emit closeRequested();
    else if (control && (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal))
        setScale(m_scale + kScaleStep);
    else if (control && event->key() == Qt::Key_Minus)
        setScale(m_scale - kScaleStep);
    else
        QWidget::keyPressEvent(event);
}

} // namespace lockscope::ui

#include "moc_presentation_view.cpp"
