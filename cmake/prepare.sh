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

# packages_of GROUP...: prints "package program" lines; for most packages the program is empty.
packages_of() {
    local group package program wanted
    while read -r group package program; do
        for wanted in "$@"; do
            if [[ $group == "$wanted" ]]; then
                printf '%s %s\n' "$package" "$program"
            fi
        done
    done <"$root/cmake/packages.txt"
}

package_is_installed() {
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# missing_packages GROUP...: prints one name per line.
missing_packages() {
    local package program
    packages_of "$@" | while read -r package program; do
        if [[ -n $program ]] && command -v "$program" >/dev/null; then
            continue
        fi
        package_is_installed "$package" || printf '%s\n' "$package"
    done
}

# as_root COMMAND...: runs the command, or explains why it cannot and exits with 3.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null && { sudo -n true || : </dev/tty; } 2>/dev/null; then
        sudo "$@"
    else
        complain "These packages can only be installed by root, and there is no sudo that works here. As root, type:"
        complain "    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        complain "and then run this again."
        exit 3
    fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}" </dev/null
}

apt_update() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 update </dev/null
}

# require_packages GROUP...
require_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "This is no Debian: its packages cannot be checked here. cmake/packages.txt names what is needed."
        return 0
    fi
    local -a missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    say "Installing ${#missing[@]} missing packages: ${missing[*]}"
    # Old lists name files that are no longer in the archive. Without a network the local packages may still be enough.
    apt_update || complain "The package lists could not be fetched; trying with those that are here."
    if ! apt_install; then
        complain "Some packages could not be installed (see above). LockScope is made for Debian 12 (bookworm)."
        exit 3
    fi
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
    (cd "$root" && cmake --preset "$preset" "${fresh[@]}" "$@") || exit
    local -a what=()
    if ((${#targets[@]})); then
        what=(--target "${targets[@]}")
    fi
    cmake --build "$root/build/$preset" --parallel "$(build_jobs)" "${what[@]}" || exit
}
