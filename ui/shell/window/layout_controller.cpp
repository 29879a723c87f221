#include "ui/shell/window/layout_controller.h"

#include "ui/models/style/window_size.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/window/actions.h"

#include <QMainWindow>

namespace lockscope::ui {

namespace {

const QString kLearn = QStringLiteral("learn");
const QString kEverything = QStringLiteral("everything");

} // namespace

LayoutController::LayoutController(DockArea* docks, Actions* actions, Settings settings, QObject* parent)
    : QObject(parent)
    , m_docks(docks)
    , m_actions(actions)
    , m_settings(settings)
{
    actions->on("layoutLearn", this, [this] { use(Layout::learn); });
    actions->on("layoutEverything", this, [this] { use(Layout::everything); });
    actions->on("nextLayout", this, &LayoutController::next);
    actions->on("resetLayout", this, &LayoutController::reset);
    connect(actions->of("presentation"), &QAction::toggled, this, &LayoutController::updateActions);
    updateActions();
}

void LayoutController::start(Layout first)
{
    const QString kept = m_settings.get(settings::kLayout);
    const bool known = kept == kLearn || kept == kEverything;
    if (known ? kept == kLearn : first == Layout::learn && !m_settings.hasLayout())
        use(Layout::learn);
}

void LayoutController::use(Layout layout)
{
    m_actions->of("presentation")->setChecked(false);
    if (layout != m_layout && !m_fixed) {
        m_docks->showAll(); // so that no card is maximized
        m_layout = layout;
        if (layout == Layout::learn) {
            if (!m_hidesUnwatched)
                keepEverything();
            showFew();
        } else {
            showEverything();
            if (m_watching)
                hideUnwatched();
        }
    }
    m_settings.set(settings::kLayout, m_layout == Layout::learn ? kLearn : kEverything);
    updateActions();
}

void LayoutController::next()
{
    if (m_fixed)
        m_actions->of("presentation")->toggle();
    else if (m_actions->of("presentation")->isChecked())
        use(Layout::learn);
    else if (m_layout == Layout::learn)
        use(Layout::everything);
    else
        m_actions->of("presentation")->setChecked(true);
}

void LayoutController::reset()
{
    if (m_layout == Layout::learn && !m_fixed)
        return showFew();
    m_docks->arrangeByDefault();
    m_hidesUnwatched = false;
    if (m_watching && !m_fixed) {
        keepEverything();
        hideUnwatched();
    }
}

void LayoutController::setWatching(bool watching)
{
    if (watching == m_watching)
        return;
    m_watching = watching;
    if (m_layout == Layout::learn || m_fixed || watching == m_hidesUnwatched)
        return;
    m_actions->of("presentation")->setChecked(false);
    m_docks->showAll(); // so that no card is maximized
    if (watching) {
        keepEverything();
        hideUnwatched();
    } else {
        showEverything();
    }
}

void LayoutController::keepEverything()
{
    m_everything = m_docks->saveState();
    m_everythingToSave = m_docks->saveState(Settings::kLayoutVersion);
    m_proportions = m_docks->userProportions();
}

void LayoutController::showEverything()
{
    m_hidesUnwatched = false;
    m_docks->restoreArrangement(m_everything);
    m_docks->setUserProportions(m_proportions);
}

void LayoutController::hideUnwatched()
{
    m_hidesUnwatched = true;
    constexpr int kWideForWatching = 1600; // wide enough for a column beside the list of locks and the chain
    QStringList names{"clients", "protocol", "lock-children", "watches", "algorithm"};
    if (m_docks->window()->width() < kWideForWatching)
        names << "findings"
              << "inspector";
    for (const QString& name : names)
        m_docks->card(name)->hide();
}

void LayoutController::showFew() { m_docks->showOnly({m_docks->card("chain"), m_docks->card("timeline")}); }

void LayoutController::setFixed(bool fixed)
{
    m_fixed = fixed;
    updateActions();
}

QByteArray LayoutController::arrangement() const
{
    return m_layout == Layout::learn || m_hidesUnwatched ? m_everythingToSave
                                                         : m_docks->saveState(Settings::kLayoutVersion);
}

QVariantMap LayoutController::proportions() const
{
    return m_layout == Layout::learn || m_hidesUnwatched ? m_proportions : m_docks->userProportions();
}

void LayoutController::save(Settings settings, const QMainWindow& window, const QByteArray& docks,
                            const QVariantMap& proportions)
{
    settings.set(settings::kLayoutVersion, Settings::kLayoutVersion);
    settings.set(settings::kGeometry, window.saveGeometry());
    settings.set(settings::kDocks, docks);
    settings.set(settings::kProportions, proportions);
}

bool LayoutController::restore(const Settings& settings, QMainWindow& window, QMainWindow& docks)
{
    if (settings.get(settings::kLayoutVersion) != Settings::kLayoutVersion) {
        return false;
    }
    window.restoreGeometry(settings.get(settings::kGeometry));
    if (!window.isMaximized() &&
        !window.isFullScreen()) // the saved screen may have been larger, or its scale smaller
        window.resize(sizeOnScreen(window.size(), *window.screen()));
    return docks.restoreState(settings.get(settings::kDocks), Settings::kLayoutVersion);
}

void LayoutController::updateActions()
{
    const bool lecture = m_actions->of("presentation")->isChecked();
    m_actions->of("layoutLearn")->setChecked(!lecture && m_layout == Layout::learn);
    m_actions->of("layoutEverything")->setChecked(!lecture && m_layout == Layout::everything);
    m_actions->of("layoutLearn")->setEnabled(!m_fixed);
    m_actions->of("layoutEverything")->setEnabled(!m_fixed);
}

} // namespace lockscope::ui

#include "moc_layout_controller.cpp"
