<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>EventText</name>
    <message numerus="yes">
        <source>From now on %n may hold at once.</source>
        <translation>
            <numerusform>From now on %n may hold at once.</numerusform>
            <numerusform>From now on %n may hold at once.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimelineText</name>
    <message numerus="yes">
        <source>%n spans share these pixels; zoom in to tell them apart</source>
        <translation>
            <numerusform>%n span has these pixels</numerusform>
            <numerusform>%n spans share these pixels; zoom in to tell them apart</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n handoffs</source>
        <translation>
            <numerusform>%n handoff</numerusform>
            <numerusform>%n handoffs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n folded</source>
        <translation>
            <numerusform>%n folded</numerusform>
            <numerusform>%n folded</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There is no room for %n more rows</source>
        <translation>
            <numerusform>There is no room for %n more row</numerusform>
            <numerusform>There is no room for %n more rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n holds</source>
        <translation>
            <numerusform>%n hold</numerusform>
            <numerusform>%n holds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more who held</source>
        <translation>
            <numerusform>and %n more who held</numerusform>
            <numerusform>and %n more who held</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 held %2, %n times (%3)</source>
        <translation>
            <numerusform>%1 held %2, once (%3)</numerusform>
            <numerusform>%1 held %2, %n times (%3)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WatchedLocks</name>
    <message numerus="yes">
        <source>%n gaps</source>
        <translation>
            <numerusform>%n gap</numerusform>
            <numerusform>%n gaps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes gone before they were read</source>
        <translation>
            <numerusform>%n node gone before it was read</numerusform>
            <numerusform>%n nodes gone before they were read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::AttachDialog</name>
    <message numerus="yes">
        <source>Join %1 with %n clients?</source>
        <translation>
            <numerusform>Join %1 with %n client?</numerusform>
            <numerusform>Join %1 with %n clients?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ClientsView</name>
    <message numerus="yes">
        <source> · wrong %n times</source>
        <translation>
            <numerusform> · wrong once</numerusform>
            <numerusform> · wrong %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ExportController</name>
    <message numerus="yes">
        <source>Created %1 from %n picture(s).</source>
        <translation>
            <numerusform>Created %1 from %n picture.</numerusform>
            <numerusform>Created %1 from %n pictures.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Created %n picture(s) in %1; make-a-film.txt explains how to turn them into a film.</source>
        <translation>
            <numerusform>Created %n picture in %1; make-a-film.txt explains how to turn them into a film.</numerusform>
            <numerusform>Created %n pictures in %1; make-a-film.txt explains how to turn them into a film.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FindingsPills</name>
    <message numerus="yes">
        <source>%n violated</source>
        <translation>
            <numerusform>%n violated</numerusform>
            <numerusform>%n violated</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FramesDialog</name>
    <message numerus="yes">
        <source>%n picture(s), frame-0001.png and so on, and a text file with the command that turns them into a film.</source>
        <translation>
            <numerusform>%n picture, frame-0001.png and so on, and a text file with the command that turns them into a film.</numerusform>
            <numerusform>%n pictures, frame-0001.png and so on, and a text file with the command that turns them into a film.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) in one file that repeats every %1.</source>
        <translation>
            <numerusform>%n picture in one file that repeats every %1.</numerusform>
            <numerusform>%n pictures in one file that repeats every %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonController</name>
    <message numerus="yes">
        <source>%1 (%n min)</source>
        <translation>
            <numerusform>%1 (%n min)</numerusform>
            <numerusform>%1 (%n min)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonPanel</name>
    <message numerus="yes">
        <source>%1 of %n hands were right.</source>
        <translation>
            <numerusform>%1 of %n hand was right.</numerusform>
            <numerusform>%1 of %n hands were right.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LogView</name>
    <message numerus="yes">
        <source>%n newer lines below</source>
        <translation>
            <numerusform>%n newer line below</numerusform>
            <numerusform>%n newer lines below</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::OptionButton</name>
    <message numerus="yes">
        <source>%n hands</source>
        <translation>
            <numerusform>%n hand</numerusform>
            <numerusform>%n hands</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RunController</name>
    <message numerus="yes">
        <source>Saved %n steps to %1. Running it takes them again.</source>
        <translation>
            <numerusform>Saved %n step to %1. Running it takes it again.</numerusform>
            <numerusform>Saved %n steps to %1. Running it takes them again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A new run takes the same %n steps, then stops all clients.</source>
        <translation>
            <numerusform>A new run takes the same %n step, then stops all clients.</numerusform>
            <numerusform>A new run takes the same %n steps, then stops all clients.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ServerBadge</name>
    <message numerus="yes">
        <source>%n servers</source>
        <translation>
            <numerusform>%n server</numerusform>
            <numerusform>%n servers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TimelineSearchBar</name>
    <message numerus="yes">
        <source>%n events match</source>
        <translation>
            <numerusform>%n event matches</numerusform>
            <numerusform>%n events match</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WatchPanel</name>
    <message numerus="yes">
        <source>! %n look stuck</source>
        <translation>
            <numerusform>! %n looks stuck</numerusform>
            <numerusform>! %n look stuck</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n locks</source>
        <translation>
            <numerusform>%n lock</numerusform>
            <numerusform>%n locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WatchedLocksModel</name>
    <message numerus="yes">
        <source>%n holders</source>
        <translation>
            <numerusform>%n holder</numerusform>
            <numerusform>%n holders</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WelcomePage</name>
    <message numerus="yes">
        <source>Search %n scenarios…</source>
        <translation>
            <numerusform>Search %n scenario…</numerusform>
            <numerusform>Search %n scenarios…</numerusform>
        </translation>
    </message>
</context>
</TS>
