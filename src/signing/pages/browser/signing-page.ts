import { awaitCopy } from './await-copy.ts';
import { setUpDeclining } from './declining.ts';
import { setUpFinish } from './finish.ts';
import { showLocalTimes } from './local-times.ts';
import { reportViewed } from './report-viewed.ts';
import { focusOutcome } from './show-outcome.ts';
import { setUpSigning } from './signing.ts';

// The server renders each state; this adds what only a browser can do in it.
const state = document.getElementById('page')?.dataset.state;

showLocalTimes();
focusOutcome();
setUpFinish();
if (state === 'open') {
  setUpSigning();
  setUpDeclining();
  reportViewed();
}
if (state === 'completed') awaitCopy();
