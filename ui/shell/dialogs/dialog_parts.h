// What dialogs have in common. GUI thread.
#pragma once

#include <QString>

class QDialogButtonBox;
class QLayout;
class QPushButton;

namespace lockscope::ui {

// The button that does what a dialog is for: filled, and in the dialog's own words.
QPushButton* labelPrimaryButton(QDialogButtonBox* buttons, const QString& words);
// Between a dialog's edge and what is in it.
void setDialogMargins(QLayout* layout);

} // namespace lockscope::ui
