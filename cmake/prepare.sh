# shellcheck shell=bash disable=SC2154
# Functions for app/run, tests/run and the other scripts (bash), which source this file: install missing packages,
# configure, build.
# The caller has set `root` to the top of the source tree.

# A closed standard input must not be reused for a file.
if ! { true <&0; } 2>/dev/null; then
    exec </dev/null
fi

say() { printf '%s\n' "$*"; }
complain() { printf '%s\n' "$*" >&2; }

# lines_of GROUP...: prints the lines of packages.txt of these groups, without the group.
lines_of() {
    local group line wanted
    while read -r group line; do
        for wanted in "$@"; do
            if [[ $group == "$wanted" ]]; then
                printf '%s\n' "$line"
            fi
        done
    done <"$root/cmake/packages.txt"
}

# Prints the names of all installed packages, and those that they provide.
installed_names() {
    dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' 2>/dev/null |
        sed -n 's/^installed //p' | tr ',' '\n' | awk 'NF { print $1 }'
}

# True when the program is in PATH, or a file has the pattern.
exists() {
    if [[ $1 == /* ]]; then
        compgen -G "$1" >/dev/null
    else
        command -v "$1" >/dev/null
    fi
}

# missing_lines GROUP...: prints the alternatives of each package that is not there, separated by blanks.
missing_lines() {
    local line alternatives file name here
    local -A installed=()
    while read -r name; do
        installed[$name]=1
    done < <(installed_names)
    while read -r line; do
        alternatives=${line%% : *}
        file=
        [[ $line == *" : "* ]] && file=${line##* : }
        here=
        if [[ -n $file ]]; then
            exists "$file" && here=1
        else
            for name in ${alternatives//|/ }; do
                [[ -n ${installed[$name]:-} ]] && here=1
            done
        fi
        [[ -n $here ]] || printf '%s\n' "${alternatives//|/ }"
    done < <(lines_of "$@")
}

# True when apt has the package, or one that provides it.
is_available() {
    [[ -n $(apt-cache -q showpkg "$1" 2>/dev/null | sed -n '/^Versions:/,/^Reverse Depends:/{/^[0-9]/p};/^Reverse Provides:/,${/^[a-z]/p}') ]]
}

# missing_packages GROUP...: prints one name per line: the first alternative that this distribution has, otherwise the
# first one.
missing_packages() {
    local -a names
    local name chosen
    while read -ra names; do
        chosen=${names[0]}
        for name in "${names[@]}"; do
            if is_available "$name"; then
                chosen=$name
                break
            fi
        done
        printf '%s\n' "$chosen"
    done < <(missing_lines "$@")
}

# as_root COMMAND...: runs the command, or returns 3 when it cannot.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null && { sudo -n true || : </dev/tty; } 2>/dev/null; then
        sudo "$@"
    else
        return 3
    fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" </dev/null; }

# Packages that could not be installed. They are named again if CMake or the build fails.
lacking=()

# require_packages GROUP...: installs what is missing. What cannot be installed is named, and CMake decides whether the
# build needs it. LOCKSCOPE_SKIP_PACKAGES=1 leaves packages alone.
require_packages() {
    [[ ${LOCKSCOPE_SKIP_PACKAGES:-} == 1 ]] && return 0
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "Neither Debian nor Ubuntu: packages are not checked here. cmake/packages.txt has Debian's names of what is needed."
        return 0
    fi
    local -a missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    # Old lists name files that are no longer in the archive. Without a network the local packages may still be enough.
    local updated=0
    apt update || updated=$?
    if ((updated == 3)); then
        complain "These packages can only be installed by root, and there is no sudo that works here. As root, type:"
        complain "    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        lacking=("${missing[@]}")
        return 0
    fi
    ((updated)) && complain "The package lists could not be fetched; trying with those that are here."
    mapfile -t missing < <(missing_packages "$@") # the new lists may have another alternative
    say "Installing ${#missing[@]} missing packages: ${missing[*]}"
    if apt install -y --no-install-recommends "${missing[@]}"; then
        return 0
    fi
    # One name that this distribution does not have must not keep the others away.
    local name
    for name in "${missing[@]}"; do
        apt install -y --no-install-recommends "$name" || lacking+=("$name")
    done
    ((${#lacking[@]})) && complain "Not installed: ${lacking[*]}."
    return 0
}

# Ends with 3 when packages could not be installed before, otherwise with 1.
fail_to_build() {
    if ((${#lacking[@]})); then
        complain "These packages are missing and could not be installed: ${lacking[*]}."
        exit 3
    fi
    exit 1
}

# Prints the number of compilers: one per core, but no more than fit in memory (1.8 GB each).
build_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1800000) }' /proc/meminfo 2>/dev/null)
    ((memory = ${memory:-1} < 1 ? 1 : memory))
    printf '%s\n' $((cores < memory ? cores : memory))
}

# configure_and_build PRESET TARGET... -- CMAKE_ARGUMENT...: without a target everything is built.
configure_and_build() {
    local preset=$1
    shift
    local -a targets=() fresh=()
    while (($#)) && [[ $1 != -- ]]; do
        targets+=("$1")
        shift
    done
    shift || true
    # A build folder in a moved or copied tree was configured for another path.
    local cache=$root/build/$preset/CMakeCache.txt
    if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        fresh=(--fresh)
    fi
    (cd "$root" && cmake --preset "$preset" "${fresh[@]}" "$@") || fail_to_build
    local -a what=()
    if ((${#targets[@]})); then
        what=(--target "${targets[@]}")
    fi
    cmake --build "$root/build/$preset" --parallel "$(build_jobs)" "${what[@]}" || fail_to_build
}
