// What main() of both programs does around their work. Main thread.
#pragma once

#include "core/base/exception_error.h"
#include "core/base/exit_code.h"
#include "core/base/standard_streams.h"

#include <string>

namespace lockscope::app {

// Writes the error to standard error behind the program's name; returns its exit code.
inline int failAs(const std::string& program, const Error& error)
{
    writeToStandardError(program + ": " + error.text() + "\n");
    return exitCode(error.code);
}

// Returns what `work` returns, which gets main()'s arguments; the exit code of its error when it throws.
inline int runProgram(const std::string& program, int (*work)(int, char**), int argc, char** argv)
{
    prepareStandardStreams();
    try {
        return work(argc, argv);
    } catch (const std::exception& error) {
        return failAs(program, exceptionError(error));
    }
}

} // namespace lockscope::app
