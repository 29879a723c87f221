#include "ui/shell/window/focus_ring.h"

#include "ui/models/style/theme.h"

#include <QApplication>
#include <QFocusEvent>
#include <QPainter>

namespace lockscope::ui {

namespace {

constexpr int kOutside = 1; // pixels between a widget and its ring
constexpr int kWidth = 2;

// The mask leaves only the frame, so that the widget inside is painted and scrolled as if there were no ring.
class Ring : public QWidget
{
public:
    Ring(const Theme* theme, QWidget* window)
        : QWidget(window)
        , m_theme(theme)
    {
        setObjectName("focusRing");
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
    }

protected:
    void resizeEvent(QResizeEvent*) override
    {
        setMask(QRegion(rect()) - QRegion(rect().adjusted(kWidth, kWidth, -kWidth, -kWidth)));
    }
    void paintEvent(QPaintEvent* event) override
    {
        QPainter painter(this);
        painter.fillRect(event->rect(), m_theme->palette().accent);
    }

private:
    const Theme* m_theme;
};

bool byKey(Qt::FocusReason reason)
{
    return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
           reason == Qt::ShortcutFocusReason;
}

// The visible part of the widget and its ring, in window coordinates.
QRect placeOf(const QWidget& widget)
{
    const QWidget& window = *widget.window();
    QRect place(widget.mapTo(&window, QPoint()), widget.size());
    place.adjust(-kOutside - kWidth, -kOutside - kWidth, kOutside + kWidth, kOutside + kWidth);
    for (const QWidget* around = widget.parentWidget(); around; around = around->parentWidget()) {
        place &= QRect(around->mapTo(&window, QPoint()), around->size());
        if (around->isWindow()) {
            break;
        }
    }
    return place;
}

} // namespace

FocusRing::FocusRing(Theme* theme, QObject* parent)
    : QObject(parent)
    , m_theme(theme)
{
    qApp->installEventFilter(this);
    connect(theme, &Theme::changed, this, [this] {
        if (m_ring) {
            m_ring->update();
        }
    });
}

FocusRing::~FocusRing() { delete m_ring; }

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::FocusIn:
        if (watched == QApplication::focusWidget()) {
            byKey(static_cast<QFocusEvent*>(event)->reason()) ? surround(QApplication::focusWidget())
                                                              : hide();
        }
        break;
    case QEvent::FocusOut:
    case QEvent::MouseButtonPress:
        hide();
        break;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
        if (m_widget && watched->isWidgetType() &&
            (watched == m_widget || static_cast<QWidget*>(watched)->isAncestorOf(m_widget))) {
            place();
        }
        break;
    default:
        break;
    }
    return false;
}

void FocusRing::surround(QWidget* widget)
{
    m_widget = widget;
    if (!m_ring || m_ring->parentWidget() != widget->window()) {
        delete m_ring;
        m_ring = new Ring(m_theme, widget->window());
    }
    place();
}

void FocusRing::place()
{
    const QRect where = m_widget->isVisible() ? placeOf(*m_widget) : QRect();
    m_ring->setGeometry(where);
    m_ring->setVisible(!where.isEmpty());
    m_ring->raise();
}

void FocusRing::hide()
{
    m_widget = nullptr;
    if (m_ring) {
        m_ring->hide();
    }
}

} // namespace lockscope::ui

#include "moc_focus_ring.cpp"
