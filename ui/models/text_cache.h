// Words that were measured and shaped before, drawn again: in a frame full of words, shaping is what costs.
// Keeps those that were used last. Plain text only. GUI thread.
#pragma once

#include <QCache>
#include <QFont>
#include <QPainter>
#include <QString>
#include <QTextLayout>

namespace lockscope::ui {

// Between a text and a shorter one that may stand for it, as in QFontMetrics::elidedText().
inline constexpr QChar kVariantSeparator(0x9c);

class TextCache
{
public:
    TextCache();
    double width(const QFont& font, const QString& text);
    // The first of the variants that is no wider, else the last.
    QString fitting(const QFont& font, const QString& variants, double width);
    // One line in the painter's font and pen; what is wider than the box ends in an ellipsis.
    void draw(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const QString& text);
    // Broken between words, and within one only when it is longer than a line; at most so many lines, the
    // last one with an ellipsis. Returns the height they take.
    double drawWrapped(QPainter& painter, const QRectF& box, const QString& text, int most = kAllLines);
    double wrappedHeight(const QFont& font, const QString& text, double width);

    std::size_t shaped() const { return m_shaped; } // how often a text was not there yet

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
        int most = 1; // lines
        bool operator==(const Key&) const = default;
        friend size_t qHash(const Key& key, size_t seed = 0) noexcept
        {
            return qHashMulti(seed, key.text, key.width, static_cast<int>(key.fit));
        }
    };
    struct Words
    {
        QTextLayout layout;
        double width = 0, height = 0;
        int lastFrom = 0; // where the last line begins
        bool whole = true;
    };

    const Words& words(Key key);
    static void layOut(Words& words, const Key& key);

    QCache<Key, Words> m_words;
    std::size_t m_shaped = 0;
};

} // namespace lockscope::ui
