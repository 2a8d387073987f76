import { setUpDeclining } from './declining.ts';
import { setUpFrame } from './embedding.ts';
import { keepVerified, setUpFinish } from './finish.ts';
import { setUpAccount, setUpHandOver, setUpVerification } from './identify.ts';
import { setUpLanguageMenu } from './language-menu.ts';
import { awaitCopy, focusOutcome } from './outcome.ts';
import { reportViewed, showControls, showLocalTimes, stayInPreview } from './page-start.ts';
import { setUpSigning } from './signing.ts';
import { forgetAll } from './tab-memory.ts';

// The server renders each state. This script adds what only a browser can do.
const state = document.getElementById('page')?.dataset.state;

stayInPreview();
focusOutcome();
setUpFinish();
if (!['open', 'needs_code', 'needs_account'].includes(state ?? '')) forgetAll(); // an expired code or session interrupts signing
if (state === 'hand_over') setUpHandOver();
if (state === 'needs_code') setUpVerification();
if (state === 'needs_account') setUpAccount();
if (state === 'open') {
  setUpSigning();
  setUpDeclining();
  reportViewed();
  keepVerified();
}
if (state === 'completed') awaitCopy();
setUpLanguageMenu();
showControls();
setUpFrame();
setTimeout(showLocalTimes); // at the end, because the browser takes long to load the formats
