#!/bin/sh
# Packs Countersign, installs the package in an empty prefix as operators do, and signs one document with it:
# packed.sh TARBALL PREFIX. Prints what the installation takes on the disk, and fails above 250 MB.
set -eu
tarball=$1
prefix=$2
sizeMax=250

npm install -g --prefix "$prefix" --omit=dev --no-audit --no-fund --loglevel=error "$tarball"
size=$(($(du -sb "$prefix" | cut -f1) / 1000000))
echo "installed size: $size MB, $(du -sm "$prefix" | cut -f1) MiB on this disk (at most $sizeMax MB)"
node --experimental-import-meta-resolve "$(dirname "$0")/load-packages.mjs" "$prefix/lib/node_modules/countersign"
node "$(dirname "$0")/sign-one.mjs" "$prefix/bin/countersign" "$prefix/data"
[ "$size" -le "$sizeMax" ]
