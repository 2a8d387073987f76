#!/usr/bin/env bash
# The long checks: npm run test:full. Each stage has a time limit; one whose tools cannot be had is skipped with its reason.
# Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.."

# npm run puts node_modules/.bin in front: the machine's own Node is what a fresh machine has.
PATH=$(tr ':' '\n' <<<"$PATH" | grep -v node_modules | paste -sd:)

# npm run also hands on its settings, with paths of this machine that a chroot does not have.
for name in "${!npm_config_@}"; do unset "$name"; done

work=$(mktemp -d)
chmod 755 "$work"
passed=0
failed=0
cleanUp() {
  umount -l "$work/chroot/proc" 2>/dev/null
  umount -l "$work/chroot/dev" 2>/dev/null
  # A mount that could not be ended must not be emptied.
  if ! grep -q "$work" /proc/mounts; then rm -rf "$work"; fi
}
trap cleanUp EXIT

stage() {
  local name=$1 seconds=$2
  shift 2
  echo "== $name"
  if timeout --kill-after=20 "$seconds" "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
  fi
}

skip() {
  echo "SKIPPED: $1: $2"
}

stage 'npm pack' 300 npm pack --pack-destination "$work" --loglevel=error
tarball=$(find "$work" -maxdepth 1 -name '*.tgz')
stage 'the packed installation signs a document' 900 test/full/packed.sh "$tarball" "$work/prefix"
if command -v go >/dev/null && command -v php >/dev/null ||
  { [ "$(id -u)" -eq 0 ] && apt-get install -y -qq --no-install-recommends golang-go php-cli >/dev/null 2>&1; }; then
  stage 'webhook receivers in Go and PHP' 300 npx vitest run test/cli/samples.test.ts
else
  skip 'webhook receivers in Go and PHP' 'go and php are not installed, and apt-get cannot install them'
fi
stage 'stored installations are upgraded' 300 npx vitest run test/upgrade

if ! node test/engines/prepare.mjs; then
  skip 'signing in Firefox and WebKit' 'the browsers are not installed, and apt-get cannot install them'
elif ! npm exec --call 'node test/engines/can-start.ts'; then
  skip 'signing in Firefox and WebKit' 'the browsers do not start here'
else
  stage 'documents are signed in Firefox and WebKit' 900 npm run --silent engines
fi

# The examples in deploy/: Debian would start the servers that it installs, which nobody asked for.
installWithoutStarting() {
  local policy=/usr/sbin/policy-rc.d mine=
  if [ ! -e "$policy" ]; then
    mine=$policy
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
  timeout 300 apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
  local status=$?
  if [ -n "$mine" ]; then rm -f "$mine"; fi
  return "$status"
}
has() {
  for program; do command -v "$program" >/dev/null || return 1; done
}

if has nginx caddy promtool || { [ "$(id -u)" -eq 0 ] && installWithoutStarting nginx-light caddy prometheus; }; then
  stage 'nginx, Caddy and Prometheus accept what is in deploy/' 300 npx vitest run test/deploy
else
  skip 'the examples in deploy/' 'nginx, caddy and promtool are not installed, and apt-get cannot install them'
fi

if { has pgbackrest rsync runuser && [ -d /usr/lib/postgresql ]; } || { [ "$(id -u)" -eq 0 ] && installWithoutStarting postgresql pgbackrest rsync; }; then
  stage 'databases are restored as the documentation says' 300 npx vitest run test/retention/restore.test.ts
else
  skip 'restoring databases' 'PostgreSQL, pgBackRest and rsync are not installed, and apt-get cannot install them'
fi

# Apache PDFBox in Java.
if { has java && [ -e /usr/share/java/preflight.jar ] && [ -e /usr/share/java/jaxb-api.jar ] && [ -e /usr/share/java/commons-io.jar ] && [ -e /usr/share/java/javax.activation.jar ]; } ||
  { [ "$(id -u)" -eq 0 ] && installWithoutStarting default-jre-headless libpdfbox2-java libcommons-io-java libjaxb-api-java libactivation-java; }; then
  stage 'Preflight accepts sealed PDFs as PDF/A' 300 npx vitest run test/archival
else
  skip 'PDF/A' 'java and Preflight are not installed, and apt-get cannot install them'
fi

canBuildImages() {
  local container
  container=$(STORAGE_DRIVER=vfs buildah from scratch 2>&1) && STORAGE_DRIVER=vfs buildah rm "$container" >/dev/null
}

if [ "$(id -u)" -ne 0 ] || ! has buildah debootstrap || ! canBuildImages; then
  skip 'the image' 'it needs root, debootstrap, and a buildah that works here'
else
  stage 'the image signs a document' 900 test/full/image.sh "$work"
fi

prepareChroot() {
  DEBIAN_FRONTEND=noninteractive debootstrap --variant=minbase --include=ca-certificates bookworm "$1" http://deb.debian.org/debian >"$1.log" 2>&1 || {
    tail -n 5 "$1.log"
    return 1
  }
  mkdir -p "$1/usr/lib/node_modules" "$1/srv"
  # The Node and npm of this machine; npm as a link, as its package installs it.
  cp "$(realpath "$(command -v node)")" "$1/usr/bin/node"
  cp -a "$npmFolder" "$1/usr/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/bin/npm"
  cp "$tarball" "$1/srv/countersign.tgz"
  cp test/full/packed.sh test/full/load-packages.mjs test/full/sign-one.mjs "$1/srv/"
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  # A registry behind a proxy may need an authority that only this machine knows.
  cp /etc/ssl/certs/ca-certificates.crt "$1/srv/ca.crt"
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then cat "$NODE_EXTRA_CA_CERTS" >>"$1/srv/ca.crt"; fi
  chroot "$1" useradd --create-home ordinary
  mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev"
}

npmFolder=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
if [ "$(id -u)" -ne 0 ]; then
  skip 'a bare chroot' 'it needs root'
elif ! has debootstrap && ! apt-get install -y -qq --no-install-recommends debootstrap >/dev/null 2>&1; then
  skip 'a bare chroot' 'debootstrap is not installed, and apt-get cannot install it'
elif ! (export -f prepareChroot; export npmFolder tarball; timeout 600 bash -c 'prepareChroot "$1"' - "$work/chroot"); then
  skip 'a bare chroot' 'it could not be prepared'
else
  stage 'a bare chroot: root' 600 chroot "$work/chroot" env NODE_EXTRA_CA_CERTS=/srv/ca.crt npm_config_cafile=/srv/ca.crt sh /srv/packed.sh /srv/countersign.tgz /opt/countersign
  stage 'a bare chroot: an ordinary user' 600 chroot --userspec=ordinary:ordinary "$work/chroot" \
    env HOME=/home/ordinary NODE_EXTRA_CA_CERTS=/srv/ca.crt npm_config_cafile=/srv/ca.crt sh /srv/packed.sh /srv/countersign.tgz /home/ordinary/countersign
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
