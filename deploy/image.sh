#!/usr/bin/env bash
# Builds the image countersign:VERSION: npm run image. Needs buildah, podman or docker; BUILDER names one of them.
# BASE_IMAGE replaces debian:bookworm-slim, such as by a copy in a registry of your own.
set -euo pipefail
cd "$(dirname "$0")/.."

builder=${BUILDER:-}
for program in buildah podman docker; do
  if [ -z "$builder" ] && command -v "$program" >/dev/null; then builder=$program; fi
done
if [ -z "$builder" ]; then
  echo 'npm run image needs buildah, podman or docker: install one of them' >&2
  exit 1
fi

version=$(sed -nE 's/^  "version": "(.*)",$/\1/p' package.json)
commit=$(git rev-parse HEAD 2>/dev/null || cat COMMIT 2>/dev/null || true)
options=(--file Containerfile --tag "${IMAGE:-countersign:$version}" --build-arg "COMMIT=$commit"
  --label "org.opencontainers.image.version=$version" --label "org.opencontainers.image.revision=$commit")
if [ -n "${BASE_IMAGE:-}" ]; then options+=(--build-arg "BASE_IMAGE=$BASE_IMAGE"); fi
# The format of OCI has no health check.
if [ "$builder" != docker ]; then options+=(--format docker); fi

"$builder" build "${options[@]}" .
echo "built ${IMAGE:-countersign:$version}"
