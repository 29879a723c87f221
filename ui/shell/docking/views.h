// The views of the window, each described once: the table from which cards, menus, the default layout, --view and its
// pictures are made, and with which the manual's list of them is compared. The only place where one view's signal
// reaches another. GUI thread.
#pragma once

#include <QList>
#include <QSize>
#include <QString>
#include <QStringList>
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

// Where a card lies by default. Cards of one place lie behind each other, the first one of the table in front.
enum class DockPlace { topLeft, top, middle, bottomLeft, bottom, upperRight, right, lowerRight };

// What a view may be made from. All of it outlives the view.
struct ViewContext
{
    RunModel* run = nullptr;
    Selection* selection = nullptr;
    TimeWindow* window = nullptr;
    Bookmarks* bookmarks = nullptr;
    Breakpoints* breakpoints = nullptr;
    Theme* theme = nullptr;
    QWidget* parent = nullptr;
};

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
    // Of the description.
    QString name{};
    std::function<QString()> title{};
    DockPlace place = DockPlace::middle;
    int readableHeight = 0;
};

// An entry for a view that has caption() and captionChanged().
template <class View>
ViewEntry viewEntry(View* view)
{
    ViewEntry entry;
    entry.view = view;
    entry.caption = [view] { return view->caption(); };
    entry.onCaptionChanged = [view](QObject* context, std::function<void()> callback) {
        QObject::connect(view, &View::captionChanged, context, std::move(callback));
    };
    return entry;
}

struct ViewDescription
{
    QString name;                   // "chain": for --view, settings and tests; never translated
    std::function<QString()> title; // in the language of the moment
    std::function<ViewEntry(const ViewContext&)> make;
    DockPlace place = DockPlace::middle;
    int readableHeight = 110; // in pixels: with less, part of the view is out of sight
    QSize shotSize{640, 360}; // of its picture
    QStringList parts{};      // the names of its parts, for --view
};

using ViewTable = std::vector<ViewDescription>;

// In the order of the menus.
ViewTable viewTable();
// What --view accepts: the window, every view, every part of one, and what is more than a card.
QStringList pictureNames(const ViewTable& table);
// The default size of the picture.
QSize shotSize(const ViewTable& table, const QString& picture);

// The views' entries, and those that the window uses by themselves.
struct Views
{
    std::vector<ViewEntry> entries{};
    ClientsView* clients = nullptr;
    ChainView* chain = nullptr;
    TimelineView* timeline = nullptr;
    LogView* log = nullptr;
};

Views makeViews(const ViewTable& table, const ViewContext& context);

} // namespace lockscope::ui
