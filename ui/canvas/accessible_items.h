// Makes a painted picture accessible to screen readers: each node, bar and arrow is a child of its canvas
// with a name, a place and a default action. The items are made only while an assistive technology asks for
// them. GUI thread.
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
    QRect rect;                                     // in the widget's coordinates; may lie outside it
    QString name;
    bool selected = false;
    std::function<QString()> describe{}; // plain text; null: nothing beyond the name
    std::function<void()> choose{};      // selects the item; null: it cannot be selected
};

// The second base class, besides QWidget, of widgets with such items.
class AccessibleItems
{
public:
    AccessibleItems(const AccessibleItems&) = delete;
    AccessibleItems& operator=(const AccessibleItems&) = delete;
    virtual ~AccessibleItems() = default;
    // The items of the current picture. Lays it out first if it is stale.
    virtual std::vector<AccessibleItem> accessibleItems() = 0;
    std::size_t itemsRevision() const { return m_revision; }

protected:
    AccessibleItems();
    // Call it when accessibleItems() will return different items.
    void itemsChanged() { ++m_revision; }
    // Does the same, and moves the screen reader's focus to the selected item if the canvas has the focus.
    void announceSelectedItem();

private:
    std::size_t m_revision = 0;
};

} // namespace lockscope::ui
