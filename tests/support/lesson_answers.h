// What the runs say of the built-in lessons: "LESSON STEP" and the answer. Bets are compared with it in tests
// that play them.
#pragma once

#include "core/lesson/evaluation.h"

#include <map>
#include <string>

namespace lockscope::tests {

inline const std::map<std::string, lesson::Bet>& lessonAnswers()
{
    static const std::map<std::string, lesson::Bet> all = {{"opening next", {0, 0, {"bauer"}}},
                                                           {"opening a-then-b", {1, 0, {}}},
                                                           {"queue holder", {0, 0, {"cyd"}}},
                                                           {"queue late", {1, 0, {}}},
                                                           {"queue who-was-first", {1, 0, {}}},
                                                           {"queue next", {0, 0, {"bo"}}},
                                                           {"watch asks", {0, 0, {}}},
                                                           {"watch whom", {0, 0, {"eli"}}},
                                                           {"watch release", {0, 0, {}}},
                                                           {"watch herd", {0, 4, {}}},
                                                           {"watch gives-up", {0, 0, {"eli"}}},
                                                           {"reentrancy again", {1, 0, {}}},
                                                           {"reentrancy cost", {0, 0, {}}},
                                                           {"reentrancy one-leaves", {1, 0, {}}},
                                                           {"reentrancy last-leaves", {0, 1, {}}},
                                                           {"reentrancy threads", {1, 0, {}}},
                                                           {"death holder", {1, 0, {}}},
                                                           {"death middle", {0, 0, {"dee"}}},
                                                           {"death freeze", {1, 0, {}}},
                                                           {"connection cut", {0, 0, {}}},
                                                           {"connection suspended", {0, 0, {}}},
                                                           {"connection between", {1, 0, {}}},
                                                           {"connection once", {2, 0, {}}},
                                                           {"lost-reply found", {0, 1, {}}},
                                                           {"lost-reply ghost", {0, 0, {"bo"}}},
                                                           {"lost-reply stuck", {2, 0, {}}},
                                                           {"pause pause", {0, 0, {"ada", "bo"}}},
                                                           {"pause truth", {0, 0, {"cyd"}}},
                                                           {"pause fence", {1, 0, {}}},
                                                           {"pause no-fence", {2, 0, {}}}};
    return all;
}

} // namespace lockscope::tests
