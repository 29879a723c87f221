// Which cards are shown: few for a learner, or all of them as the user arranged them. Keeps the arrangement
// of all while few are shown, and the choice from one start to the next. GUI thread.
#pragma once

#include <QObject>

#include "ui/models/settings.h"

class QMainWindow;

namespace lockscope::ui {

class Actions;
class DockArea;

class LayoutController : public QObject
{
    Q_OBJECT
public:
    enum class Layout { everything, learn };
    LayoutController(DockArea* docks, Actions* actions, Settings settings, QObject* parent);

    // As it was at the end of the last start; at the first start of all, `first`.
    void start(Layout first);
    Layout layout() const { return m_layout; }
    void use(Layout layout);
    // Learn, everything, the two large cards of a lecture, and learn again.
    void next();
    void reset();              // the cards as at first, of the current layout
    void setFixed(bool fixed); // a lesson chooses the cards meanwhile
    // Of all cards, with the version of layouts, to be saved.
    QByteArray arrangement() const;
    QVariantMap proportions() const;

    // The window's geometry and the arrangement of its docks, of saveState(Settings::kLayoutVersion).
    static void save(Settings settings, const QMainWindow& window, const QByteArray& docks,
                     const QVariantMap& proportions = {});
    // False, and nothing changes, when there is no layout of this version: part of another one would not fit.
    static bool restore(const Settings& settings, QMainWindow& window, QMainWindow& docks);

private:
    void showFew();
    void updateActions();

    DockArea* m_docks;
    Actions* m_actions;
    Settings m_settings;
    Layout m_layout = Layout::everything;
    bool m_fixed = false;
    // Of all cards, while few are shown.
    QByteArray m_everything;
    QByteArray m_everythingToSave;
    QVariantMap m_proportions;
};

} // namespace lockscope::ui
