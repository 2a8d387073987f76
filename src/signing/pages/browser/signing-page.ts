import { setUpAccount } from './account.ts';
import { awaitCopy } from './await-copy.ts';
import { setUpDeclining } from './declining.ts';
import { setUpFinish } from './finish.ts';
import { setUpHandOver } from './hand-over.ts';
import { keepVerified } from './keep-verified.ts';
import { showLocalTimes } from './local-times.ts';
import { reportViewed } from './report-viewed.ts';
import { focusOutcome } from './show-outcome.ts';
import { setUpSigning } from './signing.ts';
import { stayInPreview } from './stay-in-preview.ts';
import { forgetAll } from './tab-memory.ts';
import { setUpVerification } from './verification.ts';

// The server renders each state. This script adds what only a browser can do.
const state = document.getElementById('page')?.dataset.state;

stayInPreview();
showLocalTimes();
focusOutcome();
setUpFinish();
if (state !== 'needs_code') forgetAll(); // an expired code interrupts signing; every other state begins or ends it
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
