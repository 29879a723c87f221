// The views of the window, each described once, in a table: cards, menus, the default layout, --view and its
// pictures are made from it, and the manual's list of views is compared with it. The only place where one
// view's signal reaches another. GUI thread.
#pragma once

#include "ui/canvas/view.h"

#include <QSize>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>

namespace lockscope::ui {

class Breakpoints;
class Theme;
class Bookmarks;
class RunModel;
class Selection;
class TimeWindow;

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

struct ViewDescription
{
    QString name; // "chain": for --view, settings, tests and the manual's page; never translated
    std::function<QString()> title;                // in the current language
    std::function<View*(const ViewContext&)> make; // a widget, too
    DockPlace place = DockPlace::middle;
    int readableHeight = 110; // in pixels: with less, part of the view is out of sight
    QSize shotSize{640, 360}; // the size of its picture
    bool ofOneLock = false;   // it has tabs above it, one for each lock
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

// A view in its place, with what stands above and below it.
struct ViewEntry
{
    ViewDescription row;
    View* view = nullptr;
    QWidget* widget = nullptr; // the same
    QWidget* header = nullptr; // above it; may be null
    QWidget* footer = nullptr; // below it; may be null
};

// `footerOf` makes the widget below a view.
std::vector<ViewEntry> makeViews(const ViewTable& table, const ViewContext& context,
                                 const std::function<QWidget*(const View&)>& footerOf);

// The view of this class; null: there is none.
template <class Wanted>
Wanted* viewAmong(const std::vector<ViewEntry>& entries)
{
    for (const ViewEntry& entry : entries)
        if (auto* view = qobject_cast<Wanted*>(entry.widget))
            return view;
    return nullptr;
}

} // namespace lockscope::ui
