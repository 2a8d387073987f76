#!/usr/bin/env bash
# Builds the image on a base made with debootstrap, and runs it: image.sh WORK_DIRECTORY. Needs root and buildah.
set -euo pipefail
work=$1
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
export BASE_IMAGE=localhost/countersign-test-base IMAGE=localhost/countersign-test
cleanUp() {
  buildah rmi --force "$IMAGE" "$BASE_IMAGE" >/dev/null 2>&1 || true
}
trap cleanUp EXIT

# As small as debian:bookworm-slim: without manuals, translations and package lists.
base=$work/base
debootstrap --variant=minbase --include=ca-certificates bookworm "$base" http://deb.debian.org/debian >"$work/base.log" 2>&1 || {
  tail -n 5 "$work/base.log"
  exit 1
}
rm -rf "$base"/usr/share/{man,locale,info,lintian} "$base"/var/cache/apt/* "$base"/var/lib/apt/lists/*
find "$base/usr/share/doc" -type f ! -name copyright -delete
# A registry behind a proxy may need an authority that only this machine knows.
cat /etc/ssl/certs/ca-certificates.crt >"$base/srv/ca.crt"
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then cat "$NODE_EXTRA_CA_CERTS" >>"$base/srv/ca.crt"; fi
container=$(buildah from scratch)
buildah add --quiet "$container" "$base" /
rm -rf "$base"
buildah config --env NODE_EXTRA_CA_CERTS=/srv/ca.crt --env npm_config_cafile=/srv/ca.crt --cmd /bin/bash "$container"
buildah commit --quiet --rm "$container" "$BASE_IMAGE" >/dev/null

BUILDER=buildah deploy/image.sh >"$work/image.log" 2>&1 || {
  grep -v 'npm warn' "$work/image.log" | tail -n 30
  exit 1
}
npx vitest run test/deploy/image.test.ts
