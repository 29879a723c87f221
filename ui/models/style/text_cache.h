// Measured and shaped texts, kept to be drawn again: shaping dominates the cost of a frame full of text.
// Keeps the most recently used ones. Plain text only. GUI thread.
#pragma once

#include <QCache>
#include <QFont>
#include <QPainter>
#include <QString>
#include <QTextLayout>

namespace lockscope::ui {

// Separates a text from its shorter variants, as in QFontMetrics::elidedText().
inline constexpr QChar kVariantSeparator(0x9c);

class TextCache
{
public:
    TextCache();
    double width(const QFont& font, const QString& text);
    // The first variant that fits into the width, otherwise the last.
    QString fitting(const QFont& font, const QString& variants, double width);
    // One line in the painter's font and pen, elided to the box; of variants, the first that fits.
    void draw(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const QString& text,
              Qt::TextElideMode elided = Qt::ElideRight);
    // Wraps between words, and within a word that is longer than a line. The last of maxLines lines is
    // elided. Returns the height of the lines.
    double drawWrapped(QPainter& painter, const QRectF& box, const QString& text, int maxLines = kAllLines);
    double wrappedHeight(const QFont& font, const QString& text, double width);

    std::size_t shaped() const { return m_shaped; } // how often a text was not cached

private:
    static constexpr int kAllLines = 1000;
    enum class Fit { whole, elided, wrapped };
    struct Key
    {
        QString text;
        QFont font;
        int dpi = 0; // of the device that the font is meant for: fonts compare equal without it
        Fit fit = Fit::whole;
        double width = 0;
        int maxLines = 1;
        Qt::TextElideMode elided = Qt::ElideRight;
        bool operator==(const Key&) const = default;
        friend size_t qHash(const Key& key, size_t seed = 0) noexcept
        {
            return qHashMulti(seed, key.text, key.width, static_cast<int>(key.fit));
        }
    };
    struct ShapedText
    {
        QTextLayout layout;
        double width = 0, height = 0;
        int lastFrom = 0; // the offset of the last line
        bool whole = true;
    };

    const ShapedText& shapedText(Key key);
    static void layOut(ShapedText& words, const Key& key);

    QCache<Key, ShapedText> m_cache;
    std::size_t m_shaped = 0;
};

} // namespace lockscope::ui
