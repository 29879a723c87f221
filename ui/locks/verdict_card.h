// Why a lock is stuck: the sentence, its evidence and a remedy. Hidden when the lock is not stuck. GUI
// thread.
#pragma once

#include <QFrame>

#include "core/field/diagnosis.h"
#include "ui/models/style/theme.h"

#include <optional>

class QLabel;

namespace lockscope::ui {

class VerdictCard : public QFrame
{
    Q_OBJECT
public:
    VerdictCard(Theme* theme, QWidget* parent);
    void show(const std::optional<field::Diagnosis>& diagnosis);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit(); // QSplitter does not ask for the height of text at a width
    void restyle();
    void retranslate();
    Theme* m_theme;
    std::optional<field::Diagnosis> m_diagnosis;
    QLabel* m_title;
    QLabel* m_sentence;
    QLabel* m_evidence;
    QLabel* m_remedy;
};

} // namespace lockscope::ui
