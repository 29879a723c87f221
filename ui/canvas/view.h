// What the window asks of a view: its caption, its options, its parts, and what it keeps between two starts.
// The class of each view derives from it, beside the widget that it is; a row of viewTable()
// (shell/docking/views.cpp) makes it a card. GUI thread.
#pragma once

#include "ui/models/style/settings.h"

#include <QList>
#include <QString>

#include <functional>
#include <utility>
#include <vector>

class QAction;
class QToolButton;

namespace lockscope::ui {

// One of several parts that a view can show, such as a chart.
struct ViewPart
{
    QString name; // "queue-length": for the same uses as a view's name
    QString title;
};

class View
{
public:
    virtual ~View() = default;

    // One line about what is shown, with shorter variants behind kVariantSeparator; for the card's header.
    const QString& caption() const { return m_caption; }
    void onCaptionChange(std::function<void()> act) { m_onCaptionChange = std::move(act); } // one listener

    virtual QList<QAction*> options() const { return {}; }   // how it shows things, for the menu of its card
    virtual QList<const char*> footer() const { return {}; } // commands of the window that stand below it
    virtual void restore(const Settings&) {}                 // what save() kept
    virtual void save(Settings) const {}

    // A view with several parts shows one of them, or all.
    virtual std::vector<ViewPart> parts() const { return {}; }
    virtual QString shownPart() const { return {}; }  // empty: all
    virtual void showPart(const QString& /*name*/) {} // empty: all; an unknown name has no effect
    virtual QByteArray numbers(const QString& /*part*/) const { return {}; } // the data as CSV
    virtual QToolButton* chooser() const { return nullptr; } // chooses the part, in place of the title

protected:
    bool setCaption(const QString& caption) // false: it is the same
    {
        if (std::exchange(m_caption, caption) == caption)
            return false;
        if (m_onCaptionChange)
            m_onCaptionChange();
        return true;
    }

private:
    QString m_caption;
    std::function<void()> m_onCaptionChange;
};

} // namespace lockscope::ui
