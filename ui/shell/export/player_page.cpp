#include "ui/shell/export/player_page.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>

#include <cmath>
#include <utility>

namespace lockscope::ui {

namespace {

const QChar kPlaceMark(0x1f);
const QLatin1Char kPairMark('\x1e');

QByteArray playerFile(const char* name)
{
    QFile file(QStringLiteral(":/player/") + QLatin1String(name));
    (void)file.open(QIODevice::ReadOnly);
    return file.readAll();
}

QByteArray hashOf(const QByteArray& text)
{
    return "'sha256-" + QCryptographicHash::hash(text, QCryptographicHash::Sha256).toBase64() + '\'';
}

int hundredthsOf(QStringView number) { return static_cast<int>(std::lround(number.toDouble() * 100)); }

QString fromHundredths(int value) { return QString::number(value / 100.0, 'g', 9); }

// "M10,20 L30,40" becomes "M0,0 L20,20" with the place 10,20.
QString withoutPlace(const QString& points, int& x, int& y)
{
    QStringList all;
    bool first = true;
    for (QStringView each : QStringView(points).split(u' ', Qt::SkipEmptyParts)) {
        QString letter;
        if (each.front().isLetter()) {
            letter = each.front();
            each = each.mid(1);
        }
        const auto comma = each.indexOf(u',');
        const int px = hundredthsOf(each.left(comma)), py = hundredthsOf(each.mid(comma + 1));
        if (std::exchange(first, false)) {
            x = px;
            y = py;
        }
        all << letter + fromHundredths(px - x) + ',' + fromHundredths(py - y);
    }
    return all.join(' ');
}

// The attributes that a variable of the style can set.
bool isPaint(const QString& attribute)
{
    static const QStringList names{"fill",    "fill-opacity", "stroke",      "stroke-opacity",
                                   "opacity", "stop-color",   "stop-opacity"};
    return names.contains(attribute);
}

} // namespace

// Takes the place out of the piece: what moves as a whole is then the same piece elsewhere.
PlayerPage::Piece PlayerPage::withPlace(const QString& tag)
{
    Piece piece{tag};
    static const QRegularExpression points(QStringLiteral(" (d|points)=\"([^\"]+)\"")),
        corner(QStringLiteral(" x=\"([^\"]+)\" y=\"([^\"]+)\"")),
        matrix(QStringLiteral("(matrix\\([^,]+,[^,]+,[^,]+,[^,]+),([^,]+),([^)]+)\\)"));
    const QString moved = QStringLiteral(" transform=\"translate(") + kPlaceMark + QStringLiteral(")\"");
    if (const auto found = points.match(piece.text); found.hasMatch()) {
        const QString shape = withoutPlace(found.captured(2), piece.x, piece.y);
        piece.text.replace(found.capturedStart(), found.capturedLength(),
                           moved + ' ' + found.captured(1) + "=\"" + shape + '"');
    } else if (const auto at = corner.match(piece.text);
               at.hasMatch() && (piece.text.startsWith("<text") || piece.text.startsWith("<image"))) {
        piece.x = hundredthsOf(at.captured(1));
        piece.y = hundredthsOf(at.captured(2));
        piece.text.replace(at.capturedStart(), at.capturedLength(), moved + " x=\"0\" y=\"0\"");
    } else if (const auto group = matrix.match(piece.text); group.hasMatch()) {
        piece.x = hundredthsOf(group.captured(2));
        piece.y = hundredthsOf(group.captured(3));
        piece.text.replace(group.capturedStart(), group.capturedLength(),
                           group.captured(1) + ',' + kPlaceMark + ')');
    } else {
        return piece;
    }
    piece.placed = true;
    return piece;
}

// Tags, and texts with theirs. Ids get the prefix: several pictures stand on one page.
QList<PlayerPage::Piece> PlayerPage::piecesOf(QString svg, const QString& prefix)
{
    for (const char* before : {" id=\"", "url(#", "href=\"#"})
        svg.replace(QLatin1String(before), QLatin1String(before) + prefix);
    // The generator says these for each shape, and they say nothing.
    for (const char* empty : {" vector-effect=\"none\"", " transform=\"matrix(1,0,0,1,0,0)\""})
        svg.remove(QLatin1String(empty));
    QList<Piece> pieces;
    const auto end = svg.lastIndexOf(QLatin1String("</svg>"));
    for (auto from = svg.indexOf(QLatin1String("<defs>")); from >= 0 && from < end;) {
        const bool text = QStringView(svg).mid(from).startsWith(u"<text");
        const auto to = text ? svg.indexOf(QLatin1String("</text>"), from) + 7 : svg.indexOf('>', from) + 1;
        const QString tag = svg.mid(from, to - from);
        auto known = m_known.constFind(tag);
        if (known == m_known.cend())
            known = m_known.insert(tag, withPlace(text ? tag : tag.simplified()));
        pieces.push_back(*known);
        from = svg.indexOf('<', to);
    }
    return pieces;
}

QString PlayerPage::inBoth(const QString& light, const QString& dark)
{
    if (light == dark)
        return light;
    QString& both = m_inBoth[light + kPairMark + dark];
    if (!both.isEmpty())
        return both;
    static const QRegularExpression attribute(QStringLiteral("([\\w-]+)=\"([^\"]*)\""));
    auto lights = attribute.globalMatch(light), darks = attribute.globalMatch(dark);
    QString made;
    qsizetype done = 0, doneDark = 0;
    while (lights.hasNext() && darks.hasNext()) {
        const auto one = lights.next(), other = darks.next();
        const bool same = one.captured() == other.captured();
        if (QStringView(light).mid(done, one.capturedStart() - done) !=
                QStringView(dark).mid(doneDark, other.capturedStart() - doneDark) ||
            (!same && (one.captured(1) != other.captured(1) || !isPaint(one.captured(1)))))
            return {};
        made += QStringView(light).mid(done, one.capturedStart() - done);
        if (same) {
            made += one.captured();
        } else {
            const QString values = one.captured(2) + kPairMark + other.captured(2);
            const auto known = m_variables.constFind(values);
            const int number = known != m_variables.cend() ? *known : static_cast<int>(m_variables.size());
            if (known == m_variables.cend()) {
                m_variables.insert(values, number);
                m_lightValues += QStringLiteral("--c%1:%2;").arg(number).arg(one.captured(2));
                m_darkValues += QStringLiteral("--c%1:%2;").arg(number).arg(other.captured(2));
            }
            made += QStringLiteral("%1=\"var(--c%2)\"").arg(one.captured(1)).arg(number);
        }
        done = one.capturedEnd();
        doneDark = other.capturedEnd();
    }
    if (lights.hasNext() || darks.hasNext() ||
        QStringView(light).mid(done) != QStringView(dark).mid(doneDark))
        return {};
    return both = made + light.mid(done);
}

QList<PlayerPage::Piece> PlayerPage::merged(const QList<Piece>& light, const QList<Piece>& dark, bool& alike)
{
    QList<Piece> all;
    alike = light.size() == dark.size();
    for (qsizetype i = 0; alike && i < light.size(); ++i) {
        Piece both = light[i];
        both.text = inBoth(light[i].text, dark[i].text);
        alike = !both.text.isEmpty() && light[i].x == dark[i].x && light[i].y == dark[i].y;
        all.push_back(std::move(both));
    }
    return all;
}

int PlayerPage::pieceNumber(const QString& text)
{
    const auto known = m_pieceNumbers.constFind(text);
    if (known != m_pieceNumbers.cend())
        return *known;
    const int number = static_cast<int>(m_pieces.size());
    m_pieceNumbers.insert(text, number);
    m_pieces.append(text);
    return number;
}

void PlayerPage::addPicture(const QString& language, const QString& view, const QByteArray& light,
                            const QByteArray& dark)
{
    const QList<Piece> lights = piecesOf(QString::fromUtf8(light), view + '-');
    bool alike = false;
    QList<Piece> all = merged(lights, piecesOf(QString::fromUtf8(dark), view + '-'), alike);
    if (!alike) // both drawings, of which the style shows one
        all = QList<Piece>{{"<g class=\"light\">"}} + lights +
              QList<Piece>{{"</g>"}, {"<g class=\"dark\">"}} +
              piecesOf(QString::fromUtf8(dark), view + "-dark-") + QList<Piece>{{"</g>"}};
    QString frame;
    int x = 0, y = 0;
    for (const Piece& piece : all) {
        frame += QString::number(pieceNumber(piece.text)) + ' ';
        if (!piece.placed)
            continue;
        // As steps from piece to piece: what scrolls as a whole stays the same.
        frame += QString::number(piece.x - x) + ' ' + QString::number(piece.y - y) + ' ';
        x = piece.x;
        y = piece.y;
    }
    const auto known = m_frameNumbers.constFind(frame);
    const int number = known != m_frameNumbers.cend() ? *known : static_cast<int>(m_frames.size());
    if (known == m_frameNumbers.cend()) {
        m_frameNumbers.insert(frame, number);
        m_frames.append(frame.trimmed());
    }
    m_pictures[language][view].append(number);
}

void PlayerPage::addTexts(const QString& language, const QJsonObject& texts)
{
    m_texts[language].append(texts);
}

// Paper is light: the dark values are for screens.
QByteArray PlayerPage::style() const
{
    QString text = QString::fromUtf8(playerFile("player.css"));
    text.replace("/*light*/", m_lightValues).replace("/*dark*/", m_darkValues);
    return text.toUtf8();
}

QByteArray PlayerPage::data(const QString& language, const QList<View>& views) const
{
    QJsonObject words, texts, pictures;
    for (const QString& each : m_words.keys()) {
        words[each] = m_words[each];
        texts[each] = m_texts[each];
        QJsonObject ofLanguage;
        for (const View& view : views)
            ofLanguage[view.name] = m_pictures[each][view.name];
        pictures[each] = ofLanguage;
    }
    const QJsonObject all{{"language", language}, {"words", words},     {"texts", texts},
                          {"pictures", pictures}, {"pieces", m_pieces}, {"frames", m_frames}};
    constexpr int kBest = 9, kQtsLength = 4; // of the length in front, which is not part of the format
    return qCompress(QJsonDocument(all).toJson(QJsonDocument::Compact), kBest).mid(kQtsLength).toBase64();
}

QByteArray PlayerPage::html(const QString& language, const QString& scheme, const QList<View>& views) const
{
    const QByteArray styles = style(), script = playerFile("player.js");
    QString figures;
    for (const View& view : views)
        figures +=
            QStringLiteral("<figure id=\"%1\"><figcaption id=\"%1-title\"></figcaption><div class=\"scroll\">"
                           "<svg id=\"%1-picture\" role=\"img\" aria-labelledby=\"%1-title\" "
                           "viewBox=\"0 0 %2 %3\"></svg></div></figure>\n")
                .arg(view.name)
                .arg(view.width)
                .arg(view.height);
    QString noScript;
    for (const QString& each : m_words.keys())
        noScript += QStringLiteral("<p lang=\"%1\">%2</p>")
                        .arg(QString(each).replace('_', '-'),
                             m_words[each].value("noScript").toString().toHtmlEscaped());
    QByteArray page = playerFile("player.html");
    const auto put = [&page](const char* mark, const QByteArray& text) { page.replace(mark, text); };
    put("{language}", QString(language).replace('_', '-').toUtf8());
    put("{scheme}", scheme.toUtf8());
    put("{figures}", figures.toUtf8());
    put("{noScript}", noScript.toUtf8());
    put("{scriptHash}", hashOf(script));
    put("{styleHash}", hashOf(styles));
    put("{style}", styles);
    put("{script}", script);
    put("{run}", data(language, views));
    // Last: nothing in a name of the run is taken for a mark.
    put("{title}", m_words[language].value("title").toString().toHtmlEscaped().toUtf8());
    return page;
}

} // namespace lockscope::ui
