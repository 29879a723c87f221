// A line edit for the log's filter: completes keys and values, underlines an invalid part, and explains the
// language in its tool tip. The caller sets its accessible name. GUI thread.
#pragma once

#include <QLineEdit>

#include "ui/models/rows/log_filter.h"

#include <optional>

class QCompleter;
class QStringListModel;

namespace lockscope::ui {

class RunModel;

class LogFilterEdit : public QLineEdit
{
    Q_OBJECT
public:
    explicit LogFilterEdit(RunModel* run, QWidget* parent = nullptr);

    void markError(const std::optional<LogFilterError>& fault);
    QStringList completions() const; // for the current text

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void updateCompletions();
    void insertCompletion(const QString& word);

    RunModel* m_run;
    QStringListModel* m_words;
    QCompleter* m_completer;
    qsizetype m_from = 0; // where the word to complete begins
    int m_to = 0;         // where it ends; the cursor may have moved when it is completed
};

} // namespace lockscope::ui
