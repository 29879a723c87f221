#include "ui/shell/window/settings.h"

#include "ui/models/window_size.h"

#include <QMainWindow>

namespace lockscope::ui {

namespace {

const Setting<int> kLayoutVersionSetting{"layout/version"};
const Setting<QByteArray> kGeometry{"layout/geometry"};
const Setting<QByteArray> kDocks{"layout/docks"};
const Setting<QVariantMap> kProportions{"layout/shares"};

} // namespace

void Settings::saveLayout(const QMainWindow& window, const QByteArray& docks, const QVariantMap& proportions)
{
    set(kLayoutVersionSetting, kLayoutVersion);
    set(kGeometry, window.saveGeometry());
    set(kDocks, docks);
    set(kProportions, proportions);
}

bool Settings::restoreLayout(QMainWindow& window, QMainWindow& docks) const
{
    if (get(kLayoutVersionSetting) != kLayoutVersion) {
        return false;
    }
    window.restoreGeometry(get(kGeometry));
    if (!window.isMaximized() && !window.isFullScreen()) // it was saved on a larger screen, or at a smaller scale
        window.resize(sizeOnScreen(window.size(), *window.screen()));
    return docks.restoreState(get(kDocks), kLayoutVersion);
}

bool Settings::hasLayout() const { return contains(kLayoutVersionSetting); }

QVariantMap Settings::proportions() const { return get(kProportions); }

} // namespace lockscope::ui
