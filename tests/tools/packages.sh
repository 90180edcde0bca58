# Checks for the scripts at the root, which source this file, that programs and libraries exist; installs their Debian packages.
#
# `need NAME:PACKAGE...` says which packages are missing, installs them on Debian, and fails if a program or library still does not exist.
# With NO_INSTALL set it installs nothing. A library is named by its file.

exists() {
  case "$1" in
  *.so*) ldconfig -p | grep -q -F "$1" || compgen -G "/usr/lib/*/$1" >/dev/null || compgen -G "/usr/lib/*/dri/$1" >/dev/null ;;
  *) command -v "$1" >/dev/null ;;
  esac
}

# missing NAME:PACKAGE...: prints the items whose program or library does not exist, one per line.
missing() {
  local pair
  for pair in "$@"; do
    exists "${pair%%:*}" || echo "$pair"
  done
}

need() {
  local pairs pair
  mapfile -t pairs < <(missing "$@")
  [ "${#pairs[@]}" -gt 0 ] || return 0
  if [ -z "${NO_INSTALL:-}" ] && command -v apt-get >/dev/null; then
    local sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "installing these Debian packages: ${pairs[*]##*:}"
    $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq "${pairs[@]##*:}" >/dev/null
  fi
  for pair in "${pairs[@]}"; do
    exists "${pair%%:*}" || { echo "${0##*/}: ${pair%%:*} is missing (Debian package ${pair##*:})" >&2; return 1; }
  done
}
