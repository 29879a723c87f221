// Parts that dialogs have in common. GUI thread.
#pragma once

#include <QString>

class QDialogButtonBox;
class QLayout;
class QPushButton;

namespace lockscope::ui {

// Makes the OK button the filled main button, with the text `words`. Returns it; `buttons` owns it.
QPushButton* labelPrimaryButton(QDialogButtonBox* buttons, const QString& words);
// Sets the margins and the spacing that all dialogs use.
void setDialogMargins(QLayout* layout);

} // namespace lockscope::ui
