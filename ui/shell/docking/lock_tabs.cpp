#include "ui/shell/docking/lock_tabs.h"

#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/texts/client_status.h"

namespace lockscope::ui {

LockTabs::LockTabs(RunModel* model, Selection* selection, QWidget* parent)
    : QTabBar(parent)
    , m_model(model)
    , m_selection(selection)
{
    setObjectName("lockTabs");
    onRetranslate(this, [this] { setAccessibleName(tr("Lock shown")); });
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(true);
    setFocusPolicy(Qt::TabFocus);
    connect(model, &RunModel::runChanged, this, &LockTabs::refresh);
    connect(model, &RunModel::stateChanged, this, &LockTabs::refresh);
    connect(selection, &Selection::changed, this, &LockTabs::refresh);
    connect(this, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_filling && index >= 0)
            m_selection->selectLock(LockId{static_cast<LockId::Value>(index)});
    });
    refresh();
}

// Called once per frame: recreates the tabs only if the locks have changed.
void LockTabs::refresh()
{
    const replay::RunState& state = m_model->state();
    QStringList labels;
    for (const replay::LockRow& lock : state.locks) {
        labels << lockLabel(state, lock.id);
    }
    m_filling = true;
    if (labels != m_labels) {
        while (count() > 0) {
            removeTab(count() - 1);
        }
        for (int i = 0; i < labels.size(); ++i) {
            addTab(QString(labels[i]).replace('&', QStringLiteral("&&")));
            setTabToolTip(i,
                          format::toolTip(format::plain(state.locks[static_cast<std::size_t>(i)].path, 200)));
        }
        m_labels = labels;
    }
    setCurrentIndex(m_selection->lock().valid() ? static_cast<int>(m_selection->lock().value) : 0);
    m_filling = false;
    setVisible(count() > 1);
}

} // namespace lockscope::ui

#include "moc_lock_tabs.cpp"
