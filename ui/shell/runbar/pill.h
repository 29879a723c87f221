// A small rounded button that shows a verdict as a colored mark and text. GUI thread.
#pragma once

#include <QAbstractButton>

namespace lockscope::ui {

class Theme;

// How much the status in the run bar says: sentences, a word or two, or no more than the worst verdict and a
// dot.
enum class StatusWidth { full, brief, mark };

class Pill : public QAbstractButton
{
    Q_OBJECT
public:
    enum class Verdict { none, good, expected, doubtful, bad };
    enum class Width { full, brief };

    Pill(Theme* theme, QWidget* parent);
    void show(Verdict verdict, const QString& text, const QString& briefText, const QString& explanation);
    void setWidth(Width width);
    int widthFor(Width width) const; // the width needed in this variant, in pixels
    Verdict verdict() const { return m_verdict; }
    QString words() const { return textFor(m_width); } // the drawn text
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont wordsFont() const;
    QString textFor(Width width) const;
    Theme* m_theme;
    Verdict m_verdict = Verdict::none;
    Width m_width = Width::full;
    QString m_full, m_brief;
};

} // namespace lockscope::ui
