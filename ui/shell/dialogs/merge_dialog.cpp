#include "ui/shell/dialogs/merge_dialog.h"

#include "core/engine/session_key.h"
#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"
#include "ui/widgets/panel_parts.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>

namespace lockscope::ui {

MergeDialog::MergeDialog(const MergeInputs& inputs, const Theme* theme, QWidget* parent)
    : FormDialog(QStringLiteral("merge"), tr("Open Several"),
                 //: a button: makes one run of several files
                 tr("Merge"), theme, parent)
    , m_inputs(inputs)
    , m_logs(named(new QLineEdit(this), "mergeLogs"))
    , m_key(named(new QLineEdit(this), "mergeKey"))
{
    m_logs->setReadOnly(true);
    //: logs of servers
    m_logs->setPlaceholderText(tr("none: only what the clients saw"));
    addFileRow(tr("&Logs of servers"), m_logs, tr("Adds the data directory of a server."),
               {.title = tr("Add the Data Directory of a Server"), .mode = FileQuestion::Mode::folder},
               [this](const QString& path) {
                   if (!m_inputs.logs.contains(path))
                       m_inputs.logs << path;
                   showInputs();
               });
    m_key->setPlaceholderText(tr("none: the traces have real session ids"));
    m_keyRow =
        addFileRow(tr("&Key of the sessions"), m_key, tr("The file that the traces were written with."),
                   {.title = tr("Choose the Key File"), .mode = FileQuestion::Mode::open},
                   [this](const QString& path) { m_key->setText(path); });
    if (!inputs.logs.isEmpty())
        m_key->setFocus();
    showInputs();
}

void MergeDialog::showInputs()
{
    const bool hasLogs = !m_inputs.logs.isEmpty();
    m_logs->setText(m_inputs.logs.join(QStringLiteral(", ")));
    m_logs->setToolTip(format::toolTip(m_inputs.logs.join(u'\n')));
    form()->setRowVisible(m_keyRow, hasLogs);
    setNote(
        hasLogs
            ? tr("The sessions in the logs are joined with those in the traces (%1), which have other names: "
                 "choose the file that was given to --key-file when the traces were written.")
                  .arg(m_inputs.words())
            //: %1: names of traces, "host1 + host2"
            : tr("One run is made of the traces %1. With the servers' logs, what the clients believe "
                 "stands beside what the servers did.")
                  .arg(m_inputs.words()));
    shrinkToFit();
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
