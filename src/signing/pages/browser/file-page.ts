import { setUpDeclining } from './declining.ts';
import { element } from './elements.ts';
import { setUpFrame } from './embedding.ts';
import { setUpFileSigning } from './file-signing.ts';
import { keepVerified, setUpFinish } from './finish.ts';
import { setUpFormOffer } from './form-offer.ts';
import { type Leaving, setUpLanguageMenu } from './language-menu.ts';
import { awaitCopy, focusOutcome } from './outcome.ts';
import { reportViewed, showControls, showLocalTimes, stayInPreview } from './page-start.ts';
import { setUpSheets, setUpZoom } from './sheets.ts';
import { forgetAll } from './tab-memory.ts';

// The script of pages with an attached file. `signing-page.ts` is for all others.
const { state } = element('page').dataset;

stayInPreview();
focusOutcome();
setUpFinish();
setUpSheets();
setUpZoom();
let leaving: Leaving | undefined;
if (state === 'open') {
  leaving = setUpFileSigning();
  setUpDeclining();
  reportViewed();
  keepVerified();
  setUpFormOffer();
} else {
  forgetAll();
}
if (state === 'completed') awaitCopy(showSealedPages);
setUpLanguageMenu(leaving);
showControls();
setUpFrame();
setTimeout(showLocalTimes); // at the end, because the browser takes long to load the formats

/** Replaces the pages of the file by those of the sealed PDF. */
function showSealedPages(fresh: Document): void {
  const sealed = fresh.getElementById('file');
  if (sealed === null) return;
  document.getElementById('file')?.replaceWith(sealed);
  setUpSheets();
  setUpZoom();
}
