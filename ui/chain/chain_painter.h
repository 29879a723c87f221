// Draws a ChainScene with the theme's colors and fonts. Reads no run state. GUI thread.
#pragma once

#include "ui/chain/node_painter.h"
#include "ui/models/style/theme.h"
#include "ui/texts/server_view.h"

#include <QPainter>

namespace lockscope::ui::chain {

// The texts of the two boxes.
struct BoxTexts
{
    QString explainTitle, what, why;
    QString serverTitle;
    ServerView server;
};

class ChainPainter
{
public:
    // `fonts`: the theme's, scaled to `unit`.
    ChainPainter(QPainter& painter, const Theme& theme, const Fonts& fonts, double unit);
    void drawQueue(const ChainScene& scene, double scrolled);
    void drawBoxes(const ChainScene& scene, const BoxTexts& boxes);
    // The largest fonts in which the whole explanation fits into its box.
    struct ExplainFit
    {
        QFont what, why;
        bool whole = true; // otherwise the last words are cut even in the smallest
    };
    ExplainFit fitExplanation(const QRectF& box, const BoxTexts& boxes) const;
    // The same of the server's view, whose verdict goes before the list of its nodes.
    struct ServerFit
    {
        QFont verdict;
        int nodeLines = 0, verdictLines = 0;
        bool whole = true; // the verdict
    };
    ServerFit fitServer(const QRectF& box, const ServerView& server) const;

private:
    QRectF insideOf(const QRectF& box) const; // below the title
    double nodeLine() const;                  // the height of a line of nodes
    void drawMore(const ChainScene& scene);
    void fadeOut(const QRectF& strip);
    void drawArrow(const Arrow& arrow, double travel);
    void drawBead(QPointF at);
    void drawWake(const Wake& wake);
    void drawCycle(const Cycle& cycle);
    void drawStale(const StaleClient& box);
    void drawLine(const QRectF& rect, const QString& text, const QFont& font, const QColor& colour);
    // Wraps and elides to maxLines lines; returns the height used.
    double drawLines(const QRectF& rect, const QString& text, const QFont& font, const QColor& colour,
                     int maxLines);

    QPainter& m_p;
    const Palette& m_c;
    const Fonts& m_f;
    TextCache& m_texts;
    const double m_u;
    QFont m_bold, m_tiny; // of the small font
    QFont m_least;        // not scaled
    NodePainter m_cards;
};

} // namespace lockscope::ui::chain
