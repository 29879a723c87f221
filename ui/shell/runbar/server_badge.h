// Shows which ZooKeeper the run uses and its health: a dot and a text at the end of the run bar. GUI thread.
#pragma once

#include <QString>
#include <QWidget>

#include "ui/shell/runbar/pill.h"

#include <vector>

class QPainter;

namespace lockscope::ui {

class Theme;
class RunModel;

class ServerBadge : public QWidget
{
    Q_OBJECT
public:
    enum class Health { none, starting, ready, recorded, down }; // recorded: it was ready in the recorded run

    ServerBadge(RunModel* model, Theme* theme, QWidget* parent);
    void setWidth(StatusWidth width);      // mark: without words
    int widthFor(StatusWidth width) const; // the width needed in this variant, in pixels
    Health health() const { return m_display.health; }
    QString words() const { return textFor(m_width); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Member
    {
        Health health = Health::none;
        bool leads = false;
        bool operator==(const Member&) const = default;
    };
    struct Display
    {
        Health health = Health::none;
        QString full, brief;
        std::vector<Member> members{}; // of an ensemble
        bool operator==(const Display&) const = default;
    };
    Display display() const;
    void addMembers(Display& display) const;
    int dotsWidth() const; // of the dot, or of an ensemble's dots
    void drawDot(QPainter& painter, const QRectF& dot, Health health) const;
    QString explanation() const;
    QString textFor(StatusWidth width) const;
    void refresh();
    RunModel* m_model;
    Theme* m_theme;
    StatusWidth m_width = StatusWidth::full;
    Display m_display;
};

} // namespace lockscope::ui
