# For the scripts at the root, which read this file: programs and libraries that must exist, and Debian's packages of them.
#
# `need NAME:PACKAGE...` installs, on Debian, the packages of those that do not exist, and fails if one still does not. A library is
# named by its file.

exists() {
  case "$1" in
  *.so*) ldconfig -p | grep -q -F "$1" || compgen -G "/usr/lib/*/$1" >/dev/null || compgen -G "/usr/lib/*/dri/$1" >/dev/null ;;
  *) command -v "$1" >/dev/null ;;
  esac
}

need() {
  local missing=() pair
  for pair in "$@"; do
    exists "${pair%%:*}" || missing+=("${pair##*:}")
  done
  [ "${#missing[@]}" -gt 0 ] || return 0
  if command -v apt-get >/dev/null; then
    local sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "installing ${missing[*]}"
    $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq "${missing[@]}" >/dev/null
  fi
  for pair in "$@"; do
    exists "${pair%%:*}" || { echo "${0##*/}: ${pair%%:*} is missing (Debian package ${pair##*:})" >&2; return 1; }
  done
}
