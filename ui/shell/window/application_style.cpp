#include "ui/shell/window/application_style.h"

#include "ui/models/style/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFile>

#include <utility>

namespace lockscope::ui {

namespace {

// The rules for what a palette does not contain: the shapes of arrows, gaps and paddings.
QString styleRules()
{
    QFile file(QStringLiteral(":/theme/window.qss"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// The application's palette hides the system's, so it is removed while the system's is read.
bool isQtPaletteDark()
{
    const QPalette own = QApplication::palette();
    QApplication::setPalette(QPalette());
    const bool dark = Theme::isDark(QApplication::palette());
    QApplication::setPalette(own);
    return dark;
}

} // namespace

ApplicationStyle::ApplicationStyle(Theme* theme, QObject* parent, SystemIsDark systemIsDark)
    : QObject(parent)
    , m_theme(theme)
    , m_systemIsDark(systemIsDark ? std::move(systemIsDark) : isQtPaletteDark)
{
    connect(theme, &Theme::changed, this, &ApplicationStyle::apply);
    qApp->installEventFilter(this);
    apply();
}

// Every window gets the event; the theme changes only once, after all windows have received it.
bool ApplicationStyle::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ThemeChange && !m_isPending) {
        m_isPending = true;
        QMetaObject::invokeMethod(this, &ApplicationStyle::followSystem, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

void ApplicationStyle::followSystem()
{
    m_isPending = false;
    m_theme->setSystemDark(m_systemIsDark());
}

void ApplicationStyle::apply()
{
    const QFont& font = m_theme->fonts().text;
    const QString rules = m_theme->styleSheet() + styleRules();
    if (qApp->styleSheet() == rules && QApplication::font() == font)
        return; // another window has this theme already
    QApplication::setFont(font);
    // The desktop may define fonts for these classes, which would override the application's font.
    for (const char* kind : {"QAbstractButton", "QAbstractItemView", "QComboBox", "QLabel", "QMenu",
                             "QMenuBar", "QPushButton", "QTipLabel", "QToolButton"}) {
        QApplication::setFont(font, kind);
    }
    QApplication::setPalette(m_theme->widgetPalette());
    qApp->setStyleSheet(rules);
}

} // namespace lockscope::ui

#include "moc_application_style.cpp"
