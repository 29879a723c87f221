#include "ui/manual/term_tips.h"

#include "ui/canvas/accessible_items.h"
#include "ui/models/style/format.h"
#include "ui/texts/terms.h"

#include <QAbstractButton>
#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QTabBar>
#include <QTextDocumentFragment>
#include <QToolTip>

namespace lockscope::ui {

namespace {

// A tool tip that is still shown would be mistaken for the widget's answer.
void closeToolTip()
{
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        if (widget->isVisible() && widget->inherits("QTipLabel")) {
            widget->hide();
        }
    }
}

// Its terms are links, each of which shows its explanation when the mouse comes to it.
bool explainsItself(const QLabel& label) { return label.text().contains(QLatin1String("href=\"term:")); }

QString plainTextOf(const QLabel& label)
{
    return Qt::mightBeRichText(label.text()) ? QTextDocumentFragment::fromHtml(label.text()).toPlainText()
                                             : label.text();
}

QString textUnder(AccessibleItems& canvas, QPoint at)
{
    QString text;
    qint64 smallest = -1;
    for (const AccessibleItem& item : canvas.accessibleItems()) {
        const qint64 area = qint64{item.rect.width()} * item.rect.height();
        if (item.rect.contains(at) && (smallest < 0 || area < smallest)) {
            smallest = area;
            text = item.name;
        }
    }
    return text;
}

} // namespace

TermTips::TermTips(QWidget* window)
    : QObject(window)
    , m_window(window)
{
    qApp->installEventFilter(this);
}

QString TermTips::textUnder(QWidget* widget, QPoint at)
{
    if (const auto* label = qobject_cast<QLabel*>(widget)) {
        return explainsItself(*label) ? QString() : plainTextOf(*label);
    }
    if (const auto* button = qobject_cast<QAbstractButton*>(widget)) {
        return button->text();
    }
    if (const auto* tabs = qobject_cast<QTabBar*>(widget)) {
        return tabs->tabText(tabs->tabAt(at));
    }
    QWidget* const parent = widget->parentWidget(); // the view, if the widget is a viewport
    if (const auto* header = qobject_cast<QHeaderView*>(parent)) {
        return header->model()
                   ? header->model()->headerData(header->logicalIndexAt(at), header->orientation()).toString()
                   : QString();
    }
    if (const auto* table = qobject_cast<QAbstractItemView*>(parent)) {
        return table->indexAt(at).data().toString();
    }
    auto* canvas = dynamic_cast<AccessibleItems*>(widget);
    if (!canvas) {
        canvas = dynamic_cast<AccessibleItems*>(parent);
    }
    return canvas ? ui::textUnder(*canvas, at) : QString();
}

bool TermTips::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_asking || !watched->isWidgetType() ||
        static_cast<QWidget*>(watched)->window() != m_window) {
        return false;
    }
    // The explanation of a link stays until the mouse leaves the link.
    if (const auto* label = qobject_cast<QLabel*>(watched); !label || !explainsItself(*label)) {
        answer(static_cast<QWidget*>(watched), static_cast<QHelpEvent*>(event));
    }
    event->accept();
    return true;
}

void TermTips::answer(QWidget* widget, QHelpEvent* event)
{
    closeToolTip();
    m_asking = true;
    QApplication::sendEvent(widget, event);
    m_asking = false;
    const QString own = QToolTip::isVisible() ? QToolTip::text() : QString();
    const QString shown = QTextDocumentFragment::fromHtml(own).toPlainText();
    const QString written = textUnder(widget, event->pos());
    QString explained = explainTerms(written + QLatin1Char('\n') + shown);
    if (explained.isEmpty()) {
        return;
    }
    explained = format::toolTip(explained);
    const QString asRichText = Qt::mightBeRichText(own) ? own : format::toolTip(own);
    QToolTip::showText(event->globalPos(),
                       own.isEmpty() ? explained : asRichText + QStringLiteral("<br><br>") + explained,
                       widget);
}

} // namespace lockscope::ui

#include "moc_term_tips.cpp"
