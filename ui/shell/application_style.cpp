#include "ui/shell/application_style.h"

#include "ui/models/look.h"

#include <QApplication>
#include <QFile>

namespace lockscope::ui {

namespace {

// What a palette does not say: the shapes of arrows, gaps and paddings.
QString shapes()
{
    QFile file(QStringLiteral(":/theme/window.qss"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

ApplicationStyle::ApplicationStyle(Look* look, QObject* parent)
    : QObject(parent)
    , m_look(look)
{
    connect(look, &Look::changed, this, &ApplicationStyle::apply);
    apply();
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
