// Writes an animated GIF that loops forever. Each picture is reduced to the rectangle that changed, in which
// unchanged pixels are transparent where possible. Without finish(), a previous file remains unchanged. One
// thread.
#pragma once

#include <QImage>

#include "core/base/error.h"
#include "ui/models/run/atomic_file.h"

#include <cstdint>
#include <vector>

struct GifFileType;

namespace lockscope::ui {

class GifFile
{
public:
    static constexpr int kMaxPerSecond = 50; // players ignore delays below 20 ms

    GifFile(const QString& path, int perSecond);
    ~GifFile(); // discards an unfinished file
    GifFile(const GifFile&) = delete;
    GifFile& operator=(const GifFile&) = delete;

    // Shows each picture for the same time. Errors: badUsage if its size differs from the first picture's,
    // ioFailed.
    Result<void> add(const QImage& picture);
    Result<void> finish();

private:
    struct Frame
    {
        QRect place;
        std::vector<QRgb> colours;
        std::vector<std::uint8_t> pixels;
        int clear = -1; // the transparent color index; -1: none
        int begin = 0;  // in hundredths of a second
    };
    bool begin(QSize size);
    Frame frameOf(const QImage& picture) const;
    bool write(const Frame& frame, int hundredths);
    bool writeControl(const Frame& frame, int hundredths);
    bool close();
    int startOf(int picture) const { return (100 * picture + m_perSecond / 2) / m_perSecond; }
    Error failure() const;

    AtomicFile m_file;
    int m_perSecond;
    GifFileType* m_gif = nullptr;
    QImage m_before;
    Frame m_pending; // its duration is known only when the next frame begins
    int m_pictures = 0;
};

} // namespace lockscope::ui
