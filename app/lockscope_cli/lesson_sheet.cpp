#include "app/lockscope_cli/lesson_sheet.h"

#include "core/exports/text_format.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockscope::app {

namespace {

using lesson::Question;

constexpr std::string_view kSheetHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
body{font:11pt/1.45 "Noto Sans","Noto Sans CJK SC",sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color:#111;background:#fff}
h1{font-size:1.5em}h2{font-size:1.1em;margin:1.6em 0 .3em}
article{break-inside:avoid}ul{list-style:none;padding-left:.5em}li::before{content:"\2610\00a0\00a0"}
.room{height:1.7em;border-bottom:1px solid #999}.key{break-before:page}
main{display:none}#en:checked~main.en,#zh:checked~main.zh{display:block}
@media print{input,label{display:none}body{margin:0}}
</style>
)";

// The sheet in one of the languages.
class SheetText
{
public:
    SheetText(const lesson::Lesson& lesson, const std::map<std::string, lesson::Bet>& answers, bool chinese)
        : m_lesson(lesson)
        , m_answers(answers)
        , m_chinese(chinese)
    {}

    std::string text()
    {
        m_html = fmt::format("<h1>{}</h1>\n<p>{}</p>\n<p>{} ______________________</p>\n",
                             safe(m_lesson.title), safe(m_lesson.about), either("Name:", "姓名："));
        int number = 0;
        for (const lesson::Step& step : m_lesson.steps) {
            m_html +=
                fmt::format("<article><h2>{}. {}</h2>\n{}", ++number, safe(step.title), body(step.text));
            if (step.question)
                ask(step, *step.question);
            if (step.task && step.task->mend)
                addAlgorithm(step.task->mend->recipe);
            if (step.task)
                addAsked(step.task->text, 3);
            m_html += "</article>\n";
        }
        m_html += fmt::format("<section class=\"key\"><h1>{}</h1>\n", either("Key", "答案"));
        number = 0;
        for (const lesson::Step& step : m_lesson.steps)
            addKey(step, ++number);
        return m_html + "</section>\n";
    }

private:
    const char* either(const char* english, const char* chinese) const
    {
        return m_chinese ? chinese : english;
    }
    static std::string escaped(std::string_view text) { return exports::html(text, text.size()); }
    std::string safe(const lesson::Text& text) const { return escaped(text.in(m_chinese)); }

    // *Emphasis* in bold; an empty line begins a paragraph.
    std::string body(const lesson::Text& text) const
    {
        std::string html = "<p>";
        bool bold = false;
        const std::string& words = text.in(m_chinese);
        for (std::size_t at = 0; at < words.size();) {
            const std::size_t end = std::min(words.find_first_of("*\n", at), words.size());
            html += escaped(std::string_view(words).substr(at, end - at));
            const bool ends = words.compare(end, 2, "\n\n") == 0;
            if (end < words.size() && words[end] == '*')
                html += std::exchange(bold, !bold) ? "</b>" : "<b>";
            else if (end < words.size())
                html += ends ? "</p>\n<p>" : " ";
            at = end + (ends ? 2 : 1);
        }
        return html + "</p>\n";
    }

    void addAsked(const lesson::Text& text, int lines)
    {
        m_html += fmt::format("<p><b>{}</b></p>\n", safe(text));
        for (int line = 0; line < lines; ++line)
            m_html += "<div class=\"room\"></div>\n";
    }

    // Without the comments, which say what is wrong.
    void addAlgorithm(const explore::BuiltRecipe& recipe)
    {
        m_html += "<pre>";
        for (const explore::RecipeLine& line : explore::algorithmOf(recipe))
            m_html += std::string(static_cast<std::size_t>(line.indent) * 2, ' ') + escaped(line.code) + '\n';
        m_html += "</pre>\n";
    }

    void addOption(const std::string& text) { m_html += fmt::format("<li>{}</li>\n", text); }

    void ask(const lesson::Step& step, const Question& question)
    {
        addAsked(question.text, question.kind == Question::Kind::number ? 1 : 0);
        m_html += "<ul>\n";
        for (const lesson::Option& option : question.options)
            addOption(safe(option.text));
        if (question.kind == Question::Kind::who) {
            for (const sim::Participant& client : sim::participants(*step.scenario))
                addOption(escaped(client.name));
            addOption(either("No client", "没有客户端"));
        }
        m_html += fmt::format("</ul>\n<p>{}</p>\n<div class=\"room\"></div>\n", either("Why?", "为什么？"));
    }

    void addKey(const lesson::Step& step, int number)
    {
        std::string key;
        if (const auto answer = m_answers.find(step.name); step.question && answer != m_answers.end())
            key = lesson::words(*step.question, answer->second, m_chinese);
        if (step.task && step.task->puzzle)
            for (const lesson::PuzzleMove& move : step.task->puzzle->solution)
                key += (key.empty() ? "" : ", ") + wordsOf(move);
        if (step.task && step.task->mend)
            key = wordsOf(step.task->mend->solution);
        if (key.empty() && step.after.empty())
            return;
        m_html += fmt::format("<article><h2>{}. {}</h2>\n<p><b>{}</b></p>\n{}</article>\n", number,
                              safe(step.title), escaped(key), body(step.after));
    }

    const lesson::Lesson& m_lesson;
    const std::map<std::string, lesson::Bet>& m_answers;
    const bool m_chinese;
    std::string m_html;
};

} // namespace

std::string lessonSheet(const lesson::Lesson& lesson, const std::map<std::string, lesson::Bet>& answers)
{
    std::string page = fmt::format("{}<title>{}</title></head><body>\n", kSheetHead,
                                   exports::html(lesson.title.english, lesson.title.english.size()));
    for (const auto& [code, name] : {std::pair("en", "English"), std::pair("zh", "中文")})
        page += fmt::format(
            "<input type=\"radio\" name=\"language\" id=\"{0}\"{1}><label for=\"{0}\">{2}</label>\n", code,
            code == std::string_view("en") ? " checked" : "", name);
    page += "<main class=\"en\">\n" + SheetText(lesson, answers, false).text() + "</main>\n";
    page += "<main class=\"zh\" lang=\"zh-CN\">\n" + SheetText(lesson, answers, true).text() + "</main>\n";
    return page + "</body></html>\n";
}

} // namespace lockscope::app
