#include "ui/shell/application_style.h"

#include "ui/models/look.h"

#include <QApplication>
#include <QEvent>
#include <QFile>

#include <utility>

namespace lockscope::ui {

namespace {

// What a palette does not say: the shapes of arrows, gaps and paddings.
QString shapes()
{
    QFile file(QStringLiteral(":/theme/window.qss"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// The application's palette hides the system's: it is put aside while that is read.
bool qtSaysDark()
{
    const QPalette own = QApplication::palette();
    QApplication::setPalette(QPalette());
    const bool dark = Look::isDark(QApplication::palette());
    QApplication::setPalette(own);
    return dark;
}

} // namespace

ApplicationStyle::ApplicationStyle(Look* look, QObject* parent, SystemIsDark systemIsDark)
    : QObject(parent)
    , m_look(look)
    , m_systemIsDark(systemIsDark ? std::move(systemIsDark) : qtSaysDark)
{
    connect(look, &Look::changed, this, &ApplicationStyle::apply);
    qApp->installEventFilter(this);
    apply();
}

// Every window is told; once is enough, when all of them are.
bool ApplicationStyle::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ThemeChange && !m_asked) {
        m_asked = true;
        QMetaObject::invokeMethod(this, &ApplicationStyle::followSystem, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

void ApplicationStyle::followSystem()
{
    m_asked = false;
    m_look->setSystemDark(m_systemIsDark());
}

void ApplicationStyle::apply()
{
    const QFont& font = m_look->fonts().text;
    QApplication::setFont(font);
    // A desktop may have fonts of its own for these, which would win over the application's.
    for (const char* kind : {"QAbstractButton", "QAbstractItemView", "QComboBox", "QLabel", "QMenu",
                             "QMenuBar", "QPushButton", "QTipLabel", "QToolButton"}) {
        QApplication::setFont(font, kind);
    }
    QApplication::setPalette(m_look->widgetPalette());
    qApp->setStyleSheet(m_look->styleSheet() + shapes());
}

} // namespace lockscope::ui
