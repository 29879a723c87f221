// A line in which the log's filter is typed (whose it is, is its accessible name): offers keys and values while one types, underlines what cannot
// be understood, and explains the language in its tool tip. GUI thread.
#pragma once

#include <QLineEdit>

#include "ui/models/log_filter.h"

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
    QStringList completions() const; // at present

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void updateCompletions();
    void insertCompletion(const QString& word);

    RunModel* m_run;
    QStringListModel* m_words;
    QCompleter* m_completer;
    qsizetype m_from = 0; // where an offered word begins
};

} // namespace lockscope::ui
