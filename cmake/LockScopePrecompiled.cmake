# Headers that nearly every test includes, compiled once. This helps where headers are most of the work: those of Qt and
# GoogleTest in tests that are not optimized. The tested libraries consist of a few large units and gain nothing. The
# presets `separate` and `debug` build without precompiled headers (CMAKE_DISABLE_PRECOMPILE_HEADERS), to ensure that
# every file includes what it uses.
set(standard_headers
  <algorithm> <array> <chrono> <cmath> <cstdint> <deque> <filesystem> <fstream> <functional> <map> <memory> <optional>
  <set> <sstream> <string> <string_view> <utility> <variant> <vector>)
set(qt_headers
  <QAction> <QApplication> <QDockWidget> <QEvent> <QFileInfo> <QFontMetricsF> <QHBoxLayout> <QHeaderView> <QKeyEvent>
  <QLabel> <QLineEdit> <QMainWindow> <QMenu> <QPainter> <QPainterPath> <QPushButton> <QScrollBar> <QTimer>
  <QToolButton> <QVBoxLayout> <QWidget>)

# lockscope_precompiled(NAME HEADERS ... DEPS ...)
function(lockscope_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;DEPS" ${ARGN})
  add_library(lockscope_precompiled_${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled/none.cpp)
  set_target_properties(lockscope_precompiled_${name} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(lockscope_precompiled_${name} PRIVATE lockscope_options ${arg_DEPS})
  target_compile_options(lockscope_precompiled_${name} PRIVATE $<$<CONFIG:Release>:-O0>)
  target_precompile_headers(lockscope_precompiled_${name} PRIVATE ${arg_HEADERS})
endfunction()

# lockscope_use_precompiled(TARGET NAME): the target must have the same flags as the precompiled header.
function(lockscope_use_precompiled target name)
  target_precompile_headers(${target} REUSE_FROM lockscope_precompiled_${name})
endfunction()

lockscope_precompiled(tests HEADERS ${standard_headers} <gmock/gmock.h> DEPS GTest::gmock)
if(LOCKSCOPE_UI)
  lockscope_precompiled(window_tests HEADERS ${standard_headers} ${qt_headers} <gmock/gmock.h>
                        DEPS GTest::gmock Qt6::Widgets)
endif()
