import { createDrawing, type Drawing } from './drawing.ts';
import { element, texts } from './elements.ts';
import { showControls } from './page-start.ts';
import { pngOf } from './picture.ts';
import { post } from './post.ts';
import { onSubmission } from './submission.ts';

// The page on which a phone draws for a signing page that is open elsewhere.
const error = element('signature-error');
let drawing: Drawing | null = null;

createDrawing({ prefix: '', before: null, onChange: () => {} })
  .then((created) => {
    drawing = created;
  })
  .catch(() => {
    error.textContent = texts().drawingUnavailable;
  });
onSubmission({
  action: 'drawing',
  button: element<HTMLButtonElement>('send'),
  problem: element('send-problem'),
  sending: element('page').dataset.sending ?? '',
  body: () => {
    const picture = drawing?.picture() ?? null;
    error.textContent = picture === null ? texts().drawingMissing : '';
    return picture && { png: pngOf(picture) };
  },
  explainAtField: (code, sentence) => {
    if (code !== 'invalid_signature') return false;
    error.textContent = sentence;
    return true;
  },
});
void reportOpened();
showControls();

/** Tells the page that waits. It goes on without this, so a failure does not matter. */
async function reportOpened(): Promise<void> {
  await post('opened', {});
}
