// The menu of exports, and what it adds to the menus of the cards.
#include "ui/shell/export/export_controller.h"

#include "ui/commands/command_list.h"
#include "ui/shell/docking/dock_area.h"

#include <QMenu>

namespace lockscope::ui {

QAction* ExportController::add(QMenu* menu, const char* name, const QString& text, const QString& explanation,
                         const QString& keywords)
{
    QAction* action = menu->addAction(text);
    action->setProperty(kKeywords, keywords);
    action->setObjectName(QString::fromLatin1(name));
    action->setStatusTip(explanation);
    action->setToolTip(explanation);
    return action;
}

// Anew for another language: the cards have their new titles by then.
void ExportController::fillMenu()
{
    m_menu->clear();
    qDeleteAll(m_menu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    m_menu->setTitle(tr("&Export"));
    const auto entry = [this](const char* name, ExportKind kind, const QString& text,
                              const QString& explanation, const QString& keywords) {
        connect(add(m_menu, name, text, explanation, keywords), &QAction::triggered, this,
                [this, kind] { askExport(kind); });
    };
    entry("exportHandoffs", ExportKind::handoffs, tr("&Handoffs as CSV…"),
          tr("A table with a line for each handoff: who, whom, and when each of its steps was."),
          tr("csv table"));
    entry("exportClients", ExportKind::clients, tr("&Clients as CSV…"),
          tr("A table with a line for each client: acquisitions, and how long it waited and held."),
          tr("csv table"));
    entry("exportChrome", ExportKind::chrome, tr("&Trace for Perfetto…"),
          tr("The timeline as a file that ui.perfetto.dev and chrome://tracing open."), tr("json chrome"));
    entry("exportReport", ExportKind::report, tr("&Report as a page…"),
          tr("Findings, numbers and pictures as one HTML file that needs nothing else."),
          tr("html report page"));
    m_menu->addSeparator();
    addViews();
    m_menu->addSeparator();
    const auto frames = [this](const char* name, FramesDialog::Form form, const QString& text,
                               const QString& explanation, const QString& keywords) {
        connect(add(m_menu, name, text, explanation, keywords), &QAction::triggered, this,
                [this, form] { askFrames(form); });
    };
    frames("exportGif", FramesDialog::Form::animation, tr("&Animated GIF of a stretch of time…"),
           tr("One file that plays for ever: a view as it changes, from moment to moment."),
           tr("gif animation film"));
    frames("exportFrames", FramesDialog::Form::numbered, tr("N&umbered pictures of a stretch of time…"),
           tr("A PNG for each moment, and the command that makes a film of them."), tr("png pictures film"));
}

void ExportController::addViews()
{
    QMenu* save = m_menu->addMenu(tr("&Picture of"));
    QMenu* copy = m_menu->addMenu(tr("C&opy picture of"));
    const auto entry = [this, save, copy](const QString& view, const QString& title) {
        QAction* saves =
            add(save, qPrintable("picture." + view), title + QStringLiteral("…"),
                tr("PNG at twice the size on the screen, or SVG with text as text."), tr("png svg picture"));
        connect(saves, &QAction::triggered, this, [this, view] { askPicture(view); });
        QAction* copies =
            add(copy, qPrintable("copy." + view), title,
                tr("Puts the picture on the clipboard, at twice the size on the screen, and as SVG."),
                tr("clipboard picture"));
        connect(copies, &QAction::triggered, this, [this, view] { copyPictureOf(view); });
    };
    QMenu* numbers = m_menu->addMenu(tr("&Numbers of a chart"));
    entry(QStringLiteral("window"), tr("The whole window"));
    for (const DockCard* card : m_docks->cards()) {
        entry(card->name(), card->windowTitle());
        for (const ViewPart& part : card->parts()) {
            entry(part.name, part.title());
            QAction* saves =
                add(numbers, qPrintable("numbers." + part.name), part.title() + QStringLiteral("…"),
                    tr("The numbers that the chart draws, up to the cursor, as CSV."), tr("csv table"));
            connect(saves, &QAction::triggered, this, [this, name = part.name] { askNumbers(name); });
        }
    }
    for (QMenu* each : {save, copy, numbers}) {
        each->setToolTipsVisible(true);
    }
}

// What can be done with the picture of a card, and with the numbers of the chart in it. A menu that opens once
// more has them already.
void ExportController::addTo(QMenu* menu, const DockCard* card)
{
    const QString mine = QStringLiteral("cardExport");
    qDeleteAll(menu->findChildren<QAction*>(mine));
    const ViewPart* part = card->shownPart();
    const QString view = part ? part->name : card->name();
    menu->addSeparator()->setObjectName(mine);
    const auto entry = [&](const QString& text, const QString& explanation, auto act) {
        connect(add(menu, qPrintable(mine), text, explanation), &QAction::triggered, this, act);
    };
    entry(tr("&Save a picture…"), tr("PNG at twice the size on the screen, or SVG with text as text."),
          [this, view] { askPicture(view); });
    entry(tr("&Copy the picture"),
          tr("Puts the picture on the clipboard, at twice the size on the screen, and as SVG."),
          [this, view] { copyPictureOf(view); });
    if (part) {
        entry(tr("Save the &numbers…"), tr("The numbers that the chart draws, up to the cursor, as CSV."),
              [this, view] { askNumbers(view); });
    }
}

} // namespace lockscope::ui
