// Words of a widget that no refresh sets anew: said at once, and again whenever the language changes. What a
// widget shows of the data needs none of this: the window has every model tell its state again. GUI thread.
#pragma once

#include <QObject>
#include <QString>

#include <functional>

namespace lockscope::ui {

// Words that outlive the moment they are made in: what makes them, asked again in another language. None:
// nothing is said.
using TextProvider = std::function<QString()>;

// Calls `act` for each change of the language that reaches `receiver` (a widget, or a child of one), before the
// receiver and its children hear of it, as long as the receiver lives.
void onLanguageChange(QObject* receiver, std::function<void()> act);

// The same, and now too.
void onRetranslate(QObject* receiver, std::function<void()> say);

} // namespace lockscope::ui
