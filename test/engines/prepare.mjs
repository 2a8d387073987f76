// Brings Firefox and WebKit for `npm run engines`: as root with apt-get, otherwise it says what is missing and fails.
import { existsSync, readdirSync } from 'node:fs';
import { install, isInstalled } from '../debian-packages.mjs';

const tools = [
  { debian: 'firefox-esr', isHere: () => existsSync('/usr/bin/firefox-esr') },
  { debian: 'webkit2gtk-driver', isHere: () => isInstalled('WebKitWebDriver') && hasMiniBrowser() },
  { debian: 'xvfb', isHere: () => isInstalled('xvfb-run') },
  // xvfb-run needs it and Debian only recommends it.
  { debian: 'xauth', isHere: () => isInstalled('xauth') },
];
const missing = () => tools.filter(({ isHere }) => !isHere()).map(({ debian }) => debian);

if (missing().length > 0 && process.getuid?.() === 0 && isInstalled('apt-get')) {
  console.log(`Installing browsers from Debian: ${missing().join(' ')}`);
  install(missing());
}
if (missing().length > 0) {
  console.error(`Signing in other browsers needs the Debian packages ${missing().join(', ')}.`);
  process.exit(1);
}

function hasMiniBrowser() {
  return readdirSync('/usr/lib').some((folder) => existsSync(`/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`));
}
