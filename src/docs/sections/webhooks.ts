import { eventExample, registration, webhookEvents, webhookHeaders } from '../../api/openapi/webhooks.ts';
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

const commands = `countersign webhook create --account ID --url https://example.com/hooks --events all
countersign webhook list --account ID
countersign webhook test ID
countersign webhook roll ID
countersign webhook remove ID`;

const recovery = `countersign webhook deliveries ID --status dead
countersign webhook redeliver DELIVERY_ID
countersign webhook redeliver-failed ID --since 2026-11-20T00:00:00Z
countersign webhook pause ID
countersign webhook resume ID`;

export const webhooks: Section = {
  id: 'webhooks',
  title: 'Webhooks',
  entries: [
    { id: 'webhook-endpoints', title: 'Endpoints' },
    { id: 'webhook-signature', title: 'Signature' },
    { id: 'webhook-delivery', title: 'Delivery' },
    { id: 'webhook-recovery', title: 'When a receiver fails' },
    { id: 'webhook-test', title: 'Test events' },
  ],
  body: html`
${table(
  'Events',
  ['Event', 'Fires when'],
  webhookEvents.map(({ name, firesWhen }) => [code(name), prose(firesWhen)]),
)}
${paragraphs('Each event is one HTTP POST to every endpoint that chose it, with the same id and the same bytes. Events fire for documents sent with a test key as well. The document has the shape that [GET /documents/{id}](#get-document) answers; of a sensitive paper only `id` is told, also of what happened before it was marked as one.')}
${codeSample('Body', jsonCode(eventExample))}
<h3 id="webhook-endpoints">Endpoints</h3>
${paragraphs(`${registration} Each endpoint chooses its events and has a signing secret of its own, shown once.`)}
${codeSample('On the server', commands)}
${bullets(
  'The address must be `https` and lead to public addresses only: private, loopback, link-local and cloud-metadata addresses are refused. That is checked at registration and before every delivery, on the very address that is then connected to.',
  'The certificate must be valid for the host and come from an authority that the server trusts.',
  'After a change to a plan without webhooks the endpoints there are go on; new ones are refused.',
)}
<h3 id="webhook-signature">Signature</h3>
${table(
  'Headers of a delivery',
  ['Header', 'Value'],
  webhookHeaders.map(({ name, value }) => [code(name), value]),
)}
${paragraphs(
  'The digest is HMAC-SHA256 over `<t>.<raw body>`, in lowercase hex. The key is the secret of the endpoint as it was shown, its prefix `whsec_` included. Verify the exact bytes received, compare in constant time, and refuse a timestamp older than 300 seconds.',
  'When the secret is rolled (`countersign webhook roll`), the old one stays valid for 24 hours. Each delivery carries one `v1` value for each valid secret, newest first: accept the delivery when any of them matches. At most three secrets are valid at once, so a third roll within 24 hours is refused.',
)}
${codeSample('Node.js', verifySignatureSample)}
<h3 id="webhook-delivery">Delivery</h3>
${bullets(
  'Any 2xx within 10 seconds acknowledges, as soon as its headers are in, whatever its body does. The first 2 KiB of an answer are kept for whoever looks into a failure.',
  'A 4xx, a 5xx, a time-out, a connection or certificate that fails and a name that cannot be looked up are tried again, as the table says.',
  'A 3xx is never followed: the delivery is dead at once, as is one to an address that is not public.',
  'A fault on this side, such as a name server that is down, uses up no attempt.',
  'Deliveries are at least once: deduplicate on `id`, which is the same on every attempt and every endpoint. The body is too, byte for byte; timestamp and signature are fresh each time.',
  'Order is not guaranteed: `document.completed` can arrive before a `document.signed`.',
  'Webhooks are not a system of record. Reconcile now and then with [GET /documents?status=completed](#list-documents).',
)}
${table('Retries', ['After failure', 'Next attempt'], retries)}
${paragraphs('These times, and the 10 seconds, hold unless the operator of the server set others.')}
<h3 id="webhook-recovery">When a receiver fails</h3>
${bullets(
  'An endpoint that fails for five days in a row, without one success, is paused, and the owners of the account are told by e-mail. A day without any attempt ends the row.',
  'Nothing is lost meanwhile: events go on being recorded for a paused endpoint and wait. When it is resumed they are delivered, the oldest first.',
  'A delivery can be made again at any time, also one that is dead: a fresh delivery with the same event id and the same body, due at once. All that failed since a time can be made again together. Nothing is redelivered to an endpoint that was removed; to a paused one it waits.',
)}
${codeSample('On the server', recovery)}
<h3 id="webhook-test">Test events</h3>
${paragraphs('`countersign webhook test` sends one endpoint an event of the kind named, whatever events it chose. It has the shape, the headers and the signature of any other, is tried again like any other, and tells of a made-up document with the title “Test event”, whose `id` leads nowhere.')}
`,
};
