import { element, texts } from './elements.ts';
import { onSubmission } from './submission.ts';

/** Shows the document, and reports it as viewed, once the recipient has taken the device. */
export function setUpHandOver(): void {
  onSubmission({
    action: 'viewed',
    button: element<HTMLButtonElement>('begin'),
    problem: element('begin-problem'),
    sending: texts().recording,
    body: () => ({}),
  });
}
