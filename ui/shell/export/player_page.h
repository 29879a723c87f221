// A page that plays a run in a browser: pictures and texts for each step, in several languages and in both
// colour schemes. Repeated parts of drawings are stored once, relative to where they stand, colours as
// variables; all of it is compressed. The page asks for nothing from outside. No Qt widgets; one thread.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QStringList>

namespace lockscope::ui {

class PlayerPage
{
public:
    // The next step's picture of a view. `light` and `dark`: the same drawing by svgOf() in both schemes.
    void addPicture(const QString& language, const QString& view, const QByteArray& light,
                    const QByteArray& dark);
    void addTexts(const QString& language, const QJsonObject& texts); // of the next step
    // The words of the page itself. "title" and "noScript" are also used where no script runs.
    void setWords(const QString& language, const QJsonObject& words) { m_words[language] = words; }

    struct View
    {
        QString name;
        int width = 0, height = 0;
    };
    // `language` and `scheme` ("light", "dark", or empty for the browser's) are shown first.
    QByteArray html(const QString& language, const QString& scheme, const QList<View>& views) const;

private:
    struct Piece
    {
        QString text; // kPlaceMark in it stands for the place
        bool placed = false;
        int x = 0, y = 0; // hundredths of a pixel
        bool operator==(const Piece&) const = default;
    };
    QList<Piece> piecesOf(QString svg, const QString& prefix);
    static Piece withPlace(const QString& tag);
    QString inBoth(const QString& light, const QString& dark); // null: they differ in more than colours
    QList<Piece> merged(const QList<Piece>& light, const QList<Piece>& dark, bool& alike);
    int pieceNumber(const QString& text);
    QByteArray style() const;
    QByteArray data(const QString& language, const QList<View>& views) const;

    QHash<QString, Piece> m_known; // by tag
    QHash<QString, int> m_pieceNumbers;
    QJsonArray m_pieces;
    QHash<QString, int> m_frameNumbers;
    QJsonArray m_frames; // numbers of pieces, each followed by its place if it has one
    QHash<QString, QString> m_inBoth;
    QHash<QString, int> m_variables; // by both values
    QString m_lightValues, m_darkValues;
    QMap<QString, QMap<QString, QJsonArray>> m_pictures; // by language and view: frames of the steps
    QMap<QString, QJsonArray> m_texts;                   // by language
    QMap<QString, QJsonObject> m_words;
};

} // namespace lockscope::ui
