#!/bin/sh
# Runs a command as the user of the service, with its settings. Only root may read these. docs/operate/install.md says how to install it.
set -eu
settings=/etc/countersign/countersign.env
export DATA_DIR=/var/lib/countersign
# The service reads this file. One in the directory of the caller may be of another application.
export COUNTERSIGN_ENV_FILE=$DATA_DIR/.env

# Reads lines as systemd does: nothing in a value has a meaning for the shell. A backslash has one for systemd, so it is refused.
while read -r line || [ -n "$line" ]; do
  case $line in
    '#'* | ';'*) continue ;;
    *\\*)
      echo "countersign: $settings has a backslash in ${line%%=*}, which this command can't read" >&2
      exit 1
      ;;
    [A-Za-z_]*=*) ;;
    *) continue ;;
  esac
  value=${line#*=}
  case $value in
    \'*\') value=${value#\'} value=${value%\'} ;;
    \"*\") value=${value#\"} value=${value%\"} ;;
  esac
  export "${line%%=*}=$value"
done <"$settings"

# Where that user may not look, such as in /root, the command can't start.
if ! runuser -u countersign -- test -x .; then
  echo "countersign: working in /var/lib/countersign, because the user countersign may not open $PWD" >&2
  cd /var/lib/countersign
fi
umask 077
exec runuser -u countersign -- /opt/countersign/bin/countersign "$@"
