// The view "Protocol": the ladder, a scroll bar for lanes that do not fit, and the caption for its card. GUI
// thread.
#pragma once

#include <QWidget>

#include "ui/ladder/ladder_canvas.h"

#include <QElapsedTimer>
#include <QScrollBar>
#include <QTimer>

namespace lockscope::ui {

class LadderView : public QWidget
{
    Q_OBJECT
public:
    LadderView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);

    QString caption() const { return m_caption; }
    LadderCanvas* canvas() const { return m_canvas; }
    QScrollBar* scrollBar() const { return m_scrollBar; }

public slots:
    // The log's filter; `words`: as typed, for the caption.
    void setFilter(const lockscope::ui::LogFilter& filter, const QString& words);

signals:
    void captionChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void updateCaption();
    void updateScrollBar();
    void retranslate();

    RunModel* m_run;
    LadderCanvas* m_canvas;
    QScrollBar* m_scrollBar;
    QTimer m_captionTimer;      // the caption changes a few times a second at most
    QElapsedTimer m_captionAge; // since it last did
    QString m_filterWords;
    QString m_caption;
};

} // namespace lockscope::ui
