// All views of the window, each with what its card needs to know of it. The only list of them, and the only
// place where one view's signal reaches what another one shows. GUI thread.
#pragma once

#include "core/replay/findings/findings.h"

#include <QList>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QToolButton;

namespace lockscope::ui {

class Breakpoints;
class ChainView;
class ClientsView;
class LogView;
class Theme;
class Bookmarks;
class RunModel;
class Selection;
class TimeWindow;
class TimelineView;

// One of several things that a view can show: a chart.
struct ViewPart
{
    QString name; // "queue-length": as a view's name
    std::function<QString()> title;
    std::function<void()> show;
    std::function<QByteArray()> numbers; // as CSV
};

struct ViewEntry
{
    QString name;                   // "chain": for --view, settings and tests; never translated
    std::function<QString()> title; // in the language of the moment
    QWidget* view = nullptr;
    std::function<QString()> caption;
    // Calls back whenever the caption changes, as long as `context` lives.
    std::function<void(QObject* context, std::function<void()> callback)> onCaptionChanged;
    QWidget* footer = nullptr; // below the view, may be null
    QWidget* header = nullptr; // above it, may be null
    std::vector<ViewPart> parts{};
    std::function<QString()> shownPart{}; // its name; empty when all are shown
    std::function<void()> showAll{};
    QToolButton* chooser = nullptr; // of the parts, in place of the title; may be null
    QList<QAction*> choices{};      // of how the view shows its things, for the menu of its header
    int readable = 0;               // height in pixels: with less, part of what the view says is out of sight
};

// The views' entries, and those that the window uses by themselves.
struct Views
{
    std::vector<ViewEntry> entries{};
    ClientsView* clients = nullptr;
    ChainView* chain = nullptr;
    TimelineView* timeline = nullptr;
    LogView* log = nullptr;
};

// In the order of the default layout: clients, chain, timeline, log, ladder, charts, queue, watches,
// algorithm, findings, inspector.
Views makeViews(RunModel* model, Selection* selection, TimeWindow* window, Bookmarks* bookmarks,
                Breakpoints* breakpoints, Theme* theme, QWidget* parent);

} // namespace lockscope::ui
