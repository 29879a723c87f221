#include "ui/shell/dialogs/dialog_parts.h"

#include "ui/widgets/panel_parts.h"

#include <QDialogButtonBox>
#include <QLayout>
#include <QPushButton>

namespace lockscope::ui {

QPushButton* labelPrimaryButton(QDialogButtonBox* buttons, const QString& words)
{
    QPushButton* button = buttons->button(QDialogButtonBox::Ok);
    button->setText(words);
    button->setProperty("kind", "primary");
    repolish(button); // the style was applied before the property was set
    return button;
}

void setDialogMargins(QLayout* layout)
{
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
}

} // namespace lockscope::ui
