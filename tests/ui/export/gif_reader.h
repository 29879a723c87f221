// A GIF file as a player shows it, for tests.
#pragma once

#include <QImage>
#include <QString>

#include <vector>

namespace lockscope::ui {

struct ReadGif
{
    struct Frame
    {
        QRect place;
        QImage canvas; // all of the picture while this frame is shown
        int hundredths = 0;
    };
    QSize size;
    std::vector<Frame> frames; // none when it cannot be read
    int loops = -1;            // 0 = for ever; -1: it says nothing

    int length() const;
    QImage shownAt(int hundredths) const;
};

// The largest difference of a channel between two pictures of one size.
int maxChannelDifference(const QImage& a, const QImage& b);

ReadGif readGif(const QString& path);

} // namespace lockscope::ui
