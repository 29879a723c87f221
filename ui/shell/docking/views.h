// The views of the window, each described once, in a table: cards, menus, the default layout, --view and its
// pictures are made from it, and the manual's list of views is compared with it. The only place where one
// view's signal reaches another. GUI thread.
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

// Where a card lies by default. Cards of the same place are stacked, the first one in the table in front.
enum class DockPlace { topLeft, top, middle, bottomLeft, bottom, upperRight, right, lowerRight };

// The objects that a view may be made from. All of them outlive the view.
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

// One of several parts that a view can show, such as a chart.
struct ViewPart
{
    QString name; // "queue-length": for the same uses as a view's name
    std::function<QString()> title;
    std::function<void()> show;
    std::function<QByteArray()> numbers; // the data as CSV
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
    std::function<QString()> shownPart{}; // the name of the shown part; empty when all are shown
    std::function<void()> showAll{};
    QToolButton* chooser = nullptr; // chooses the part, in place of the title; may be null
    QList<QAction*> choices{};      // display options of the view, for the menu of its header
    // Copied from the description.
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
    std::function<QString()> title; // in the current language
    std::function<ViewEntry(const ViewContext&)> make;
    DockPlace place = DockPlace::middle;
    int readableHeight = 110; // in pixels: with less, part of the view is out of sight
    QSize shotSize{640, 360}; // the size of its picture
    QStringList parts{};      // the names of its parts, for --view
};

using ViewTable = std::vector<ViewDescription>;

// In the order of the menus.
ViewTable viewTable();
// The values that --view accepts: the window, every view, every part of a view, and other pictures of several
// cards.
QStringList pictureNames(const ViewTable& table);
// The default size of the picture of this name.
QSize shotSize(const ViewTable& table, const QString& picture);

// The views' entries, and the views that the window uses directly.
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
