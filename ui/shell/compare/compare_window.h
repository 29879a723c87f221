// A window with two runs side by side: queues, timelines and the verdict. GUI thread.
#pragma once

#include <QWidget>

#include "core/base/error.h"
#include "ui/compare/compare_html.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/shell/window/application_style.h"

#include <array>
#include <vector>

class QLabel;

namespace lockscope::ui {

class CompareChainView;
class CompareTimelineView;
class CompareVerdictView;

class CompareWindow : public QWidget
{
    Q_OBJECT
public:
    // Deletes itself when it is closed, if `parent` is given.
    CompareWindow(ComparedRunPtr a, ComparedRunPtr b, Theme* theme, QWidget* parent = nullptr);

    void showDifference(bool on); // on: a typical handoff of each run, to the same scale; off: the whole runs
    void choose(std::size_t side, std::size_t handoff);
    QString subtitle() const;
    ComparePage page(); // the content of the HTML page, with pictures of what is shown now
    // ioFailed when a file cannot be written.
    Result<void> saveHtml(const QString& path);
    Result<void> savePictures(const QString& folder); // compare.png, compare.svg, queue-a.png, ...

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void assemble();
    void limitHeights();
    struct Side
    {
        ComparedRunPtr run;
        CompareChainView* chain = nullptr;
        QLabel* sentence = nullptr; // below the chain
        CompareTimelineView* lanes = nullptr;
    };
    void makeSide(std::size_t side);
    void showSentence(Side& side);
    void showMoment(Side& side, std::optional<std::size_t> handoff);
    QWidget* makeHeader();
    Duration differenceLength() const;
    void askForHtml();
    void askForFolder();
    void showResult(const Result<void>& done, TextProvider words);
    void showStatus();
    ComparePageSide pageSide(std::size_t side);

    Theme* m_theme;
    std::array<Side, 2> m_sides;
    replay::Comparison m_comparison;
    ComparedLoad m_load;
    QWidget* m_page = nullptr;
    CompareVerdictView* m_verdict = nullptr;
    QLabel* m_status = nullptr;
    TextProvider m_statusText;
    std::vector<std::pair<QString, QWidget*>> m_parts; // the name of each picture and the widget it shows
};

} // namespace lockscope::ui
