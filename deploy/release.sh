#!/usr/bin/env bash
# Makes a release from a tagged commit: npm run release. Writes the package, the SBOM, the notes and their checksums to
# release/VERSION, and builds the image where there is a builder. It publishes nothing.
#
# Before it: set the version in package.json, name the section of the changelog after it, commit, and tag the commit vVERSION.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "npm run release: $1" >&2
  exit 1
}

version=$(sed -nE 's/^  "version": "(.*)",$/\1/p' package.json)
[ -z "$(git status --porcelain)" ] || fail 'the clone has changes: commit or remove them'
[ "$(git tag --points-at HEAD --list "v$version")" = "v$version" ] || fail "this commit has no tag v$version: git tag v$version"

out=release/$version
mkdir -p "$out"
awk -v heading="## [$version]" 'index($0, heading) == 1 { found = 1; next } found && /^## \[/ { exit } found' CHANGELOG.md >"$out/notes.md"
[ -s "$out/notes.md" ] || fail "CHANGELOG.md has no section [$version]"

npm pack --loglevel=error --pack-destination "$out" >/dev/null
npm sbom --loglevel=error --sbom-format cyclonedx --omit dev >"$out/countersign-$version.cdx.json"
(cd "$out" && sha256sum "countersign-$version.tgz" "countersign-$version.cdx.json" >SHA256SUMS)
if [ -n "${BUILDER:-}" ] || command -v buildah podman docker >/dev/null; then
  deploy/image.sh
else
  echo 'no image: buildah, podman or docker is not installed'
fi
echo "released $version to $out"
