#!/bin/bash
# prepare_test.sh SOURCE_TREE: which packages app/run and tests/run would install, asked with a dpkg-query and an
# apt-cache of our own that know what the test says.
set -uo pipefail
source_tree=$1
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
mkdir "$folder/bin" "$folder/cmake"
failures=0

# installed LINE...: "NAME PROVIDED, PROVIDED" each, as on the system.
installed() {
    printf '#!/bin/bash\ncat <<"END"\n' >"$folder/bin/dpkg-query"
    local line
    for line in "$@"; do
        printf 'installed %s, %s\n' "${line%% *}" "$(cut -s -d' ' -f2- <<<"$line")" >>"$folder/bin/dpkg-query"
    done
    printf 'END\n' >>"$folder/bin/dpkg-query"
    chmod +x "$folder/bin/dpkg-query"
}

# available NAME...: the packages of the archive; NAME= is a virtual one, which another package provides.
available() {
    cat >"$folder/bin/apt-cache" <<END
#!/bin/bash
name=\${!#}
printf 'Package: %s\nVersions: \n' "\$name"
for one in $*; do [[ \$one == "\$name" ]] && echo "1.0 (/var/lib/apt/lists/x)"; done
printf '\nReverse Depends: \nDependencies: \nProvides: \nReverse Provides: \n'
for one in $*; do [[ \$one == "\$name=" ]] && echo "other 1.0 (= )"; done
exit 0
END
    chmod +x "$folder/bin/apt-cache"
}

# expect WHAT EXPECTED: with the list of packages on standard input.
expect() {
    cat >"$folder/cmake/packages.txt"
    local found
    found=$(PATH=$folder/bin:$PATH bash -c 'root=$1; source "$2/cmake/prepare.sh"; missing_packages build' \
        bash "$folder" "$source_tree" | xargs)
    if [[ $found != "$2" ]]; then
        printf '%s: expected "%s", found "%s"\n' "$1" "$2" "$found"
        failures=$((failures + 1))
    fi
}

installed "g++"
available g++ libjson1.81
expect "installs what is missing, of its group only" "cmake" <<<$'build g++\nbuild cmake\ntests gtest'
expect "takes the first alternative that the distribution has" "libjson1.81" <<<"build libjson | libjson1.83 | libjson1.81"
expect "names the first one when it has none" "libnone1" <<<"build libnone1 | libnone2"
available "libgl="
expect "takes a virtual package" "libgl" <<<"build libother | libgl"
installed "libjson1.83"
expect "is content with any alternative" "" <<<"build libjson | libjson1.83"
installed "qt6-base-dev libqt6opengl6-dev (= 6.8), other"
expect "is content with a package that provides it" "" <<<"build libqt6opengl6-dev"
installed
expect "is content with the program" "" <<<"build nosuchpackage : bash"
expect "wants the program" "nosuchpackage" <<<"build nosuchpackage : no-such-program"
touch "$folder/libplugin.so"
expect "is content with a file of the pattern" "" <<<"build nosuchpackage : $folder/lib*.so"
expect "wants a file of the pattern" "nosuchpackage" <<<"build nosuchpackage : $folder/none*.so"

if [[ -n $(LOCKSCOPE_SKIP_PACKAGES=1 PATH=$folder/bin:$PATH bash -c \
    'root=$1; source "$2/cmake/prepare.sh"; require_packages build' bash "$folder" "$source_tree" 2>&1) ]]; then
    echo "LOCKSCOPE_SKIP_PACKAGES=1 does not leave packages alone"
    failures=$((failures + 1))
fi
exit $((failures > 0))
