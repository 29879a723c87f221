#include "ui/canvas/accessible_items.h"

#include <QAccessibleWidget>
#include <QWidget>

#include <algorithm>
#include <optional>

namespace lockscope::ui {

namespace {

class CanvasInterface;

class ItemInterface : public QAccessibleInterface, public QAccessibleActionInterface
{
public:
    ItemInterface(CanvasInterface& canvas, std::size_t index)
        : m_canvas(canvas)
        , m_index(index)
    {}

    bool isValid() const override { return item() != nullptr; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override;
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        if (kind == QAccessible::Description)
            return item()->describe ? item()->describe() : QString();
        return kind == QAccessible::Name ? item()->name : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override;
    QAccessible::Role role() const override { return isValid() ? item()->role : QAccessible::NoRole; }
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }

    QStringList actionNames() const override
    {
        return isValid() && item()->choose ? QStringList{pressAction()} : QStringList{};
    }
    void doAction(const QString& name) override
    {
        if (!actionNames().contains(name))
            return;
        const std::function<void()> choose = item()->choose; // a copy: choosing may replace the items
        choose();
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    const AccessibleItem* item() const;

    CanvasInterface& m_canvas;
    const std::size_t m_index;
};

// Its children are first the child widgets, such as scroll bars and editors, then the items.
class CanvasInterface : public QAccessibleWidget
{
public:
    CanvasInterface(QWidget* widget, AccessibleItems& source)
        : QAccessibleWidget(widget, QAccessible::List)
        , m_source(source)
    {}
    ~CanvasInterface() override
    {
        for (const QAccessible::Id id : m_ids)
            QAccessible::deleteAccessibleInterface(id);
    }

    const std::vector<AccessibleItem>& items() const
    {
        if (const std::size_t revision = m_source.itemsRevision(); m_read != revision) {
            m_items = m_source.accessibleItems();
            m_read = revision;
        }
        return m_items;
    }
    int selectedChild() const
    {
        const auto& all = items();
        const auto chosen =
            std::find_if(all.begin(), all.end(), [](const auto& one) { return one.selected; });
        return chosen == all.end() ? -1 : widgets() + static_cast<int>(chosen - all.begin());
    }
    const QWidget& canvas() const { return *widget(); }

    int childCount() const override { return widgets() + static_cast<int>(items().size()); }
    QAccessibleInterface* child(int index) const override
    {
        if (index < widgets())
            return QAccessibleWidget::child(index);
        const auto at = static_cast<std::size_t>(index - widgets());
        if (at >= items().size())
            return nullptr;
        while (m_ids.size() <= at)
            m_ids.push_back(QAccessible::registerAccessibleInterface(
                new ItemInterface(const_cast<CanvasInterface&>(*this), m_ids.size())));
        return QAccessible::accessibleInterface(m_ids[at]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const QAccessible::Id id = QAccessible::uniqueId(const_cast<QAccessibleInterface*>(child));
        const auto found = std::find(m_ids.begin(), m_ids.end(), id);
        return found == m_ids.end() ? QAccessibleWidget::indexOfChild(child)
                                    : widgets() + static_cast<int>(found - m_ids.begin());
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        const QPoint place = widget()->mapFromGlobal(QPoint(x, y));
        if (!widget()->rect().contains(place))
            return nullptr;
        const auto& all = items();
        for (std::size_t i = all.size(); i-- > 0;) // the last one is on top
            if (all[i].rect.contains(place))
                return child(widgets() + static_cast<int>(i));
        return QAccessibleWidget::childAt(x, y);
    }
    QAccessibleInterface* focusChild() const override
    {
        const int chosen = widget()->hasFocus() ? selectedChild() : -1;
        return chosen < 0 ? QAccessibleWidget::focusChild() : child(chosen);
    }

private:
    int widgets() const { return QAccessibleWidget::childCount(); }

    AccessibleItems& m_source;
    mutable std::vector<AccessibleItem> m_items;
    mutable std::optional<std::size_t> m_read; // revision of m_items
    mutable std::vector<QAccessible::Id> m_ids;
};

QWindow* ItemInterface::window() const { return m_canvas.window(); }

QAccessibleInterface* ItemInterface::parent() const { return &m_canvas; }

const AccessibleItem* ItemInterface::item() const
{
    const auto& all = m_canvas.items();
    return m_index < all.size() ? &all[m_index] : nullptr;
}

QRect ItemInterface::rect() const
{
    return isValid() ? item()->rect.translated(m_canvas.canvas().mapToGlobal(QPoint())) : QRect();
}

QAccessible::State ItemInterface::state() const
{
    QAccessible::State state;
    if (!isValid()) {
        state.invalid = true;
        return state;
    }
    const QWidget& canvas = m_canvas.canvas();
    state.selectable = state.focusable = item()->choose != nullptr;
    state.selected = item()->selected;
    state.focused = item()->selected && canvas.hasFocus();
    state.invisible = !canvas.isVisible();
    state.offscreen = !canvas.rect().intersects(item()->rect);
    return state;
}

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* items = dynamic_cast<AccessibleItems*>(object);
    auto* widget = qobject_cast<QWidget*>(object);
    return items && widget ? new CanvasInterface(widget, *items) : nullptr;
}

} // namespace

AccessibleItems::AccessibleItems()
{
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    static_cast<void>(installed);
}

void AccessibleItems::announceSelectedItem()
{
    itemsChanged();
    auto* canvas = dynamic_cast<QWidget*>(this);
    if (!QAccessible::isActive() || !canvas || !canvas->hasFocus())
        return;
    const auto* shown = dynamic_cast<CanvasInterface*>(QAccessible::queryAccessibleInterface(canvas));
    const int child = shown ? shown->selectedChild() : -1;
    if (child < 0)
        return;
    QAccessibleEvent event(canvas, QAccessible::Focus);
    event.setChild(child);
    QAccessible::updateAccessibility(&event);
}

} // namespace lockscope::ui
