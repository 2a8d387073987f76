#!/bin/sh
# Makes the files in ./secrets that compose.yaml mounts. Existing files stay as they are.
set -eu
cd "$(dirname "$0")/../.."

# Containers read these files as users of their own, so the directory keeps other people of this machine out.
mkdir -p secrets
chmod 700 secrets

make() {
  if [ ! -e "secrets/$1" ]; then
    printf '%s' "$2" >"secrets/$1"
    echo "made secrets/$1"
  fi
  chmod 644 "secrets/$1"
}

make postgres_password "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
make database_url "postgresql://countersign:$(cat secrets/postgres_password)@postgres/countersign"
make secret_key "$(head -c 32 /dev/urandom | base64)"
