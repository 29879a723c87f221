#include "ui/shell/window/layout_store.h"

#include <QMainWindow>

namespace lockscope::ui {

void LayoutStore::save(const QMainWindow& window, const QMainWindow& docks, const QVariantMap& shares)
{
    m_settings->setValue("layout/version", kVersion);
    m_settings->setValue("layout/geometry", window.saveGeometry());
    m_settings->setValue("layout/docks", docks.saveState(kVersion));
    m_settings->setValue("layout/shares", shares);
}

bool LayoutStore::restore(QMainWindow& window, QMainWindow& docks) const
{
    if (m_settings->value("layout/version").toInt() != kVersion) {
        return false;
    }
    window.restoreGeometry(m_settings->value("layout/geometry").toByteArray());
    return docks.restoreState(m_settings->value("layout/docks").toByteArray(), kVersion);
}

QVariantMap LayoutStore::shares() const { return m_settings->value("layout/shares").toMap(); }

void LayoutStore::forget() { m_settings->remove("layout"); }

} // namespace lockscope::ui
