// Shows the tool tips of menu entries beside their menu, where they cover no entries. Of all menus with
// visible tool tips. GUI thread.
#pragma once

#include <QObject>

namespace lockscope::ui {

class MenuTips : public QObject
{
public:
    explicit MenuTips(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace lockscope::ui
