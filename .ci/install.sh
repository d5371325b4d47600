# Installs a missing Debian package. The other scripts source this file.
run_as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
install() {
  command -v apt-get >/dev/null || {
    echo "setup: no $1. Install it, where the PATH and a build find it." >&2
    exit 1
  }
  run_as_root apt-get update --quiet
  run_as_root env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends "$1"
}
