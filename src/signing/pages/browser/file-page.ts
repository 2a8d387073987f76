import { awaitCopy } from './await-copy.ts';
import { setUpDeclining } from './declining.ts';
import { element } from './elements.ts';
import { setUpFileSigning } from './file-signing.ts';
import { setUpFinish } from './finish.ts';
import { keepVerified } from './keep-verified.ts';
import { showLocalTimes } from './local-times.ts';
import { reportViewed } from './report-viewed.ts';
import { setUpSheets } from './sheets.ts';
import { focusOutcome } from './show-outcome.ts';
import { stayInPreview } from './stay-in-preview.ts';
import { forgetAll } from './tab-memory.ts';
import { setUpZoom } from './zoom.ts';

// The script of pages with an attached file. `signing-page.ts` is for all others.
const { state } = element('page').dataset;

stayInPreview();
showLocalTimes();
focusOutcome();
setUpFinish();
setUpSheets();
setUpZoom();
if (state === 'open') {
  setUpFileSigning();
  setUpDeclining();
  reportViewed();
  keepVerified();
} else {
  forgetAll();
}
if (state === 'completed') awaitCopy();
