// Watches whether at least one of several widgets is shown, so that work for hidden ones can be skipped. GUI
// thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <functional>
#include <vector>

namespace lockscope::ui {

class VisibilityWatcher : public QObject
{
    Q_OBJECT
public:
    // Calls `callback` at once and at every change of visibility. Widgets may be destroyed before this
    // object.
    VisibilityWatcher(const std::vector<QWidget*>& widgets, std::function<void(bool)> callback,
                      QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void update();
    std::vector<QPointer<QWidget>> m_widgets;
    std::function<void(bool)> m_callback;
    bool m_shown = false;
};

} // namespace lockscope::ui
