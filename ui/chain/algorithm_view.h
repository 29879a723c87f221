// "Algorithm": the running recipe as pseudo-code, with a dot for every client at its line; the selected
// client's line is highlighted. A click beside a line, or F9 at the line chosen with Up and Down (else at the
// highlighted one), toggles a breakpoint of the selected client, else of all clients. A view too low for all
// lines scrolls to the highlighted one when that changes. The given objects outlive the view. GUI thread.
#pragma once

// Qt's headers first: moc cannot read <compare> before them.
#include "ui/canvas/canvas.h"

#include "ui/chain/algorithm_lines.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"

namespace lockscope::ui {

class Breakpoints;

class AlgorithmView : public Canvas
{
    Q_OBJECT
public:
    static constexpr int kMaxDots = 6; // on a line; further clients are only counted

    AlgorithmView(RunModel* model, Selection* selection, Breakpoints* breakpoints, Theme* theme,
                  QWidget* parent = nullptr);

    // The caption: "following bo"; empty without a selected client.
    struct Dot
    {
        ClientId client = ClientId::none();
        std::uint16_t colour = 0;
        bool frozen = false;
        bool held = false; // stopped before a step
        bool operator==(const Dot&) const = default;
    };
    enum class Stop {
        none,
        others,
        here
    }; // others: a breakpoint of other clients only; here: of the selected client or, without one, of all
    struct Row
    {
        const chain::AlgorithmLine* line = nullptr;
        QRectF rect;
        bool marked = false;
        std::vector<Dot> dots; // the first clients at this line, always with the selected one
        std::size_t more = 0;  // the number of further clients at this line
        Stop stop = Stop::none;
        bool operator==(const Row&) const = default;
    };
    const std::vector<Row>& rows();
    QString tipAt(QPointF point) override;
    // The lines, each with the clients at it; its action toggles the breakpoint.
    std::vector<AccessibleItem> accessibleItems() override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void draw(QPainter& painter, const QRegion& region) override;
    QString emptyText() override;
    bool framesFocus() const override { return false; } // the line chosen with the keys is framed
    void hover(std::optional<QPointF> at) override;
    bool selectAt(QPointF point) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void follow(); // repaints the lines that changed
    void updateCaption();
    // Lengths for text of 16 px line height.
    static constexpr double kLine = 23, kMinLineHeight = 15, kMargin = 8;
    static constexpr double kIndent = 15, kCodeLeft = 27, kDotPitch = 16;
    void layOut();
    void fitDots();
    void scroll();
    QFont fontOf(const Row& row) const;
    QString codeOf(const chain::AlgorithmLine& line) const; // with its comment
    double zoomFor(const std::vector<chain::AlgorithmLine>& lines) const;
    QPointF dotAt(const Row& row, std::size_t dot) const;
    ClientId clientAt(QPointF point);
    void drawCode(QPainter& painter, const Row& row, double left, double right) const;
    void drawDots(QPainter& painter, const Row& row) const;

    std::vector<ClientId> breakpointClients() const; // the clients whose breakpoints a click toggles
    void markStops();
    int gutterAt(QPointF point); // the row whose gutter is there, if it can have a breakpoint; -1: none
    int chosenLine();            // the row chosen with the keys, else the selected client's; -1: none
    void moveLine(int by);
    void toggleBreakpoint(int row);
    void toggleChosen(); // or shows why it cannot
    QString gutterTip(const Row& row) const;
    QString dotsText(const Row& row) const; // the clients at a line
    void drawStop(QPainter& painter, const Row& row, bool pointed) const;

    RunModel* const m_model;
    Selection* const m_selection;
    Breakpoints* const m_breakpoints;
    std::vector<Row> m_rows;
    const chain::AlgorithmLine* m_marked = nullptr; // the line scrolled to; null: not yet
    double m_unit = 1, m_zoom = 1;                  // the zoom is part of the unit
    int m_line = -1;                                // the row chosen with the keys; -1: none
    int m_pointed = -1;                             // the row with the mouse in its gutter; -1: none
};

} // namespace lockscope::ui
