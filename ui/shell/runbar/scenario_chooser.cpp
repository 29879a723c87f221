#include "ui/shell/runbar/scenario_chooser.h"

#include "core/sim/scenario/scenario.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/welcome/scenario_entry.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QSignalBlocker>

namespace lockscope::ui {

namespace {

const QString kFile = QStringLiteral("file:");
const QString kOpen = QStringLiteral("open:");

} // namespace

ScenarioChooser::ScenarioChooser(QWidget* parent)
    : WithoutWheel(parent)
{
    setObjectName("scenarioChooser");
    setFocusPolicy(Qt::TabFocus); // a click opens the list, and leaves the keys where they were
    setMinimumContentsLength(10);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMaxVisibleItems(30);
    onRetranslate(this, [this] { fill(); });
    connect(this, &QComboBox::activated, this, &ScenarioChooser::choose);
}

// Also called after a language change; the next showSource() selects what runs.
void ScenarioChooser::fill()
{
    const QSignalBlocker quiet(this);
    //: name of a field for screen readers: which scenario runs
    setAccessibleName(tr("Scenario"));
    setToolTip(tr("The scenario that runs. Choosing one starts it; hold Shift to start it step by step."));
    clear();
    for (const sim::BuiltIn& builtIn : sim::builtIns()) {
        const QString name = QString::fromUtf8(builtIn.name);
        const auto scenario = sim::parseScenario(builtIn.toml, builtIn.name);
        const QString title = scenario ? titleOf(*scenario) : name;
        addItem(title.isEmpty() ? name : title, name);
        if (scenario) {
            setItemData(count() - 1, format::plain(textOf(*scenario).toStdString(), 400), Qt::ToolTipRole);
        }
    }
    insertSeparator(count());
    addItem(tr("Open…"), kOpen);
}

void ScenarioChooser::showSource(const QString& builtInName, const QString& fileLabel)
{
    const QSignalBlocker quiet(this);
    removeFileItem();
    if (!fileLabel.isEmpty()) {
        insertItem(0, fileLabel, kFile);
        m_shown = 0;
    } else {
        m_shown = findData(builtInName);
    }
    setCurrentIndex(m_shown);
}

void ScenarioChooser::choose(int index)
{
    const QString choice = itemData(index).toString();
    setCurrentIndex(m_shown); // until the choice has taken effect
    if (choice == kOpen) {
        emit openRequested();
    } else if (choice != kFile) {
        emit builtInChosen(choice, QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier));
    }
}

void ScenarioChooser::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Space:
    case Qt::Key_F4:
        return showPopup();
    default:
        event->ignore();
    }
}

void ScenarioChooser::removeFileItem()
{
    if (const int at = findData(kFile); at >= 0) {
        removeItem(at);
    }
}

} // namespace lockscope::ui

#include "moc_scenario_chooser.cpp"
