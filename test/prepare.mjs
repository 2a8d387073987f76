// Brings what the tests need and npm cannot: a browser and the programs that judge PDFs. As root with apt-get it
// installs them and says so; otherwise it says what is missing, and the tests that need it are skipped with that reason.
import { install, isInstalled } from './debian-packages.mjs';

const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const needed = [
  { programs: browsers, debian: 'chromium-headless-shell', tests: 'the browser tests' },
  { programs: ['pdfsig'], debian: 'poppler-utils', tests: 'the tests that check sealed PDFs' },
  { programs: ['qpdf'], debian: 'qpdf', tests: 'the tests that check sealed PDFs' },
  { programs: ['openssl'], debian: 'openssl', tests: 'the tests of signing certificates' },
  { programs: ['curl'], debian: 'curl', tests: 'the test of the lines that the first start prints' },
  { programs: ['softhsm2-util'], debian: 'softhsm2', tests: 'the tests of PKCS#11 keys' },
  { programs: ['pkcs11-tool'], debian: 'opensc', tests: 'the tests of PKCS#11 keys' },
  { programs: ['pgbouncer'], debian: 'pgbouncer', tests: 'the tests of a connection pooler' },
  { programs: ['faketime'], debian: 'faketime', tests: 'the test of clocks that jump' },
  { programs: ['python3'], debian: 'python3', tests: 'the tests of the Python client and the PDF script' },
];

const missing = needed.filter(({ programs }) => !programs.some(isInstalled));
if (missing.length > 0) bring(missing);

function bring(tools) {
  const packages = tools.map((tool) => tool.debian);
  if (process.getuid?.() === 0 && isInstalled('apt-get')) {
    console.log(`Installing what the tests need from Debian: ${packages.join(' ')}`);
    install(packages);
  }
  for (const { programs, debian, tests } of tools) {
    if (programs.some(isInstalled)) continue;
    console.log(`SKIPPED: ${tests} need ${programs[0]} (Debian package ${debian}), which is not installed.`);
  }
}
