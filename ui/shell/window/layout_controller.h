// Chooses which cards are shown: two for a learner, or all of them as the user arranged them. Keeps the
// arrangement of all cards while two are shown, and saves the choice between program starts. GUI thread.
#pragma once

#include <QObject>

#include "ui/models/style/settings.h"

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

    // Uses the layout saved by the last program start; at the very first start, `first`.
    void start(Layout first);
    Layout layout() const { return m_layout; }
    void use(Layout layout);
    // Cycles through Learn, Everything and the presentation.
    void next();
    void reset();              // restores the default cards of the current layout
    void setFixed(bool fixed); // true: a lesson chooses the cards
    // true: the locks of other programs are watched. Cards about what only our own clients tell are hidden,
    // and so are those that say again what the table of participants says; the user can show them.
    void setWatching(bool watching);
    // The arrangement of all cards, with the layout version, to be saved.
    QByteArray arrangement() const;
    QVariantMap proportions() const;

    // Saves the window's geometry and `docks`, the result of saveState(Settings::kLayoutVersion).
    static void save(Settings settings, const QMainWindow& window, const QByteArray& docks,
                     const QVariantMap& proportions = {});
    // Changes nothing and returns false if no layout of this version is saved: another version's would not
    // fit.
    static bool restore(const Settings& settings, QMainWindow& window, QMainWindow& docks);

private:
    void showFew();
    void keepEverything();
    void showEverything();
    void hideUnwatched();
    void updateActions();

    DockArea* m_docks;
    Actions* m_actions;
    Settings m_settings;
    Layout m_layout = Layout::everything;
    bool m_fixed = false;
    bool m_watching = false;
    bool m_hidesUnwatched = false;
    // The state of all cards while some are hidden.
    QByteArray m_everything;
    QByteArray m_everythingToSave;
    QVariantMap m_proportions;
};

} // namespace lockscope::ui
