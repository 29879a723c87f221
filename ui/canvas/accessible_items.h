// What a painted picture tells a screen reader: each node, bar and arrow is a child of its canvas with a
// name, a place and a default action, so that a reader can walk them. The items are asked for only while an
// assistive technology asks. GUI thread.
#pragma once

#include <QAccessible>
#include <QRect>
#include <QString>

#include <cstddef>
#include <functional>
#include <vector>

namespace lockscope::ui {

struct AccessibleItem
{
    QAccessible::Role role = QAccessible::ListItem; // Graphic for arrows
    QRect rect;                                     // of the widget; may lie outside of it
    QString name;
    bool selected = false;
    std::function<QString()> describe{}; // plain text; null: the name says all
    std::function<void()> choose{};      // selects it; null: it cannot be selected
};

// A base class of widgets beside QWidget.
class AccessibleItems
{
public:
    AccessibleItems(const AccessibleItems&) = delete;
    AccessibleItems& operator=(const AccessibleItems&) = delete;
    virtual ~AccessibleItems() = default;
    // Of the picture as it is now, laid out first if it is stale.
    virtual std::vector<AccessibleItem> accessibleItems() = 0;
    std::size_t itemsRevision() const { return m_revision; }

protected:
    AccessibleItems();
    // To be called when accessibleItems() will return others.
    void itemsChanged() { ++m_revision; }
    // The same; moves the focus of the screen reader to the selected item, if the canvas has the focus.
    void announceSelectedItem();

private:
    std::size_t m_revision = 0;
};

} // namespace lockscope::ui
