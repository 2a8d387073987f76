// Installs the programs of the cluster from Debian. Ends with one line that names what is missing.
import { install, isInstalled } from '../debian-packages.mjs';

const packages = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx-light',
  pg_ctlcluster: 'postgresql',
};
const missing = () => Object.keys(packages).filter((program) => !isInstalled(program));

if (missing().length > 0 && process.getuid?.() === 0 && isInstalled('apt-get')) {
  install(missing().map((program) => packages[program]));
}
if (missing().length > 0) {
  console.error(
    `npm run cluster needs these Debian packages: ${missing()
      .map((program) => packages[program])
      .join(' ')}`,
  );
  process.exit(1);
}
