// The one context of the translations of this folder. Classes of the folder declare the same.
#pragma once

#include <QCoreApplication>

namespace lockscope::ui {

struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(Texts)
};

} // namespace lockscope::ui
