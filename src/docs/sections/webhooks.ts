import { eventExample, registrationNotice, webhookEvents, webhookHeaders } from '../../api/openapi/webhooks.ts';
import { html } from '../../http/html.ts';
import { codeSample, jsonCode } from '../code-sample.ts';
import { bullets, code, paragraphs, prose } from '../prose.ts';
import type { Section } from '../reference.ts';
import { table } from '../table.ts';
import { verifySignatureSample } from '../verify-signature-sample.ts';

const retries = [
  ['1', '1 minute'],
  ['2', '5 minutes'],
  ['3', '30 minutes'],
  ['4', '2 hours'],
  ['5', '12 hours'],
  ['6', 'None: the delivery is marked dead.'],
] as const;

export const webhooks: Section = {
  id: 'webhooks',
  title: 'Webhooks',
  entries: [
    { id: 'webhook-signature', title: 'Signature' },
    { id: 'webhook-delivery', title: 'Delivery' },
  ],
  body: html`
<p class="notice">${registrationNotice} What follows is what endpoints will receive; until then poll <a href="#list-documents">the documents</a>.</p>
${table(
  'Events',
  ['Event', 'Fires when'],
  webhookEvents.map(({ name, firesWhen }) => [code(name), prose(firesWhen)]),
)}
${paragraphs('Each event is one HTTP POST. Events fire for documents sent with a test key as well. The document has the shape that [GET /documents/{id}](#get-document) answers; of a sensitive paper only `id` is told.')}
${codeSample('Body', jsonCode(eventExample))}
<h3 id="webhook-signature">Signature</h3>
${table(
  'Headers of a delivery',
  ['Header', 'Value'],
  webhookHeaders.map(({ name, value }) => [code(name), value]),
)}
${paragraphs(
  'The digest is HMAC-SHA256 over `<t>.<raw body>`, in lowercase hex. The key is the secret of the endpoint as it was shown, its prefix `whsec_` included. Verify the exact bytes received, compare in constant time, and refuse a timestamp older than 300 seconds.',
)}
${codeSample('Node.js', verifySignatureSample)}
<h3 id="webhook-delivery">Delivery</h3>
${bullets(
  'Any 2xx within 10 seconds acknowledges, as soon as its headers are in. The body is not read.',
  'A 4xx, a 5xx and a time-out are retried. A 3xx is never followed: the delivery is marked dead at once.',
  'Deliveries are at least once: deduplicate on `id`, which is the same on every attempt and every endpoint. The body is too, byte for byte; timestamp and signature are fresh each time.',
  'Order is not guaranteed: `document.completed` can arrive before a `document.signed`.',
  'Webhooks are not a system of record. Reconcile now and then with [GET /documents?status=completed](#list-documents).',
)}
${table('Retries', ['After failure', 'Next attempt'], retries)}
`,
};
