// The word that trace files and ZooKeeper have for an enumerator: the same in every language.
#pragma once

#include <QString>

#include "core/trace/event_fields.h"

namespace lockscope::ui {

template <class E>
QString traceName(E value)
{
    return QString::fromLatin1(trace::nameOf(value));
}

} // namespace lockscope::ui
