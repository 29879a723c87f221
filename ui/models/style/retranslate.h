// Sets the fixed texts of a widget, now and after each change of the language. Texts made from data need none
// of this: every model notifies its views again. GUI thread.
#pragma once

#include <QObject>
#include <QString>

#include <functional>

namespace lockscope::ui {

// Makes a text in the current language. Empty: no text.
using TextProvider = std::function<QString()>;

bool isChinese(); // the language of the window

// Calls `act` for each change of the language that reaches `receiver` (a widget, or a child of one), before
// the receiver and its children handle it. Ends with the receiver.
void onLanguageChange(QObject* receiver, std::function<void()> act);

// The same, and calls it once now.
void onRetranslate(QObject* receiver, std::function<void()> setTexts);

} // namespace lockscope::ui
