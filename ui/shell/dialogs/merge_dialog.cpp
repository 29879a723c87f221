#include "ui/shell/dialogs/merge_dialog.h"

#include "core/engine/session_key.h"
#include "ui/texts/core_messages.h"
#include "ui/widgets/panel_parts.h"

#include <QLineEdit>

namespace lockscope::ui {

MergeDialog::MergeDialog(const MergeInputs& inputs, const Theme* theme, QWidget* parent)
    : FormDialog(QStringLiteral("merge"), tr("Open Several"),
                 //: a button: makes one run of several files
                 tr("Merge"), theme, parent)
    , m_inputs(inputs)
    , m_key(named(new QLineEdit(this), "mergeKey"))
{
    m_key->setPlaceholderText(tr("none: the traces have real session ids"));
    addFileRow(tr("&Key of the sessions"), m_key, tr("The file that the traces were written with."),
               {.title = tr("Choose the Key File"), .mode = FileQuestion::Mode::open},
               [this](const QString& path) { m_key->setText(path); });
    setNote(tr("The sessions in the logs are joined with those in the traces (%1), which have other names: "
               "choose the file that was given to --key-file when the traces were written.")
                .arg(inputs.words()));
    m_key->setFocus();
}

void MergeDialog::accept()
{
    const QString file = m_key->text().trimmed();
    if (!file.isEmpty()) {
        Result<std::string> key = engine::readSessionKey(file.toStdString());
        if (!key) {
            showError(errorText(key.error()).all(), m_key);
            return;
        }
        m_inputs.sessionKey = std::move(*key);
    }
    emit chosen(m_inputs);
    QDialog::accept();
}

} // namespace lockscope::ui

#include "moc_merge_dialog.cpp"
