import { element, texts } from './elements.ts';
import { onSubmission } from './submission.ts';

/** Whoever has the device in hand now is the reader: that is when the document counts as viewed, and is shown. */
export function setUpHandOver(): void {
  onSubmission({
    action: 'viewed',
    button: element<HTMLButtonElement>('begin'),
    problem: element('begin-problem'),
    sending: texts().recording,
    body: () => ({}),
  });
}
