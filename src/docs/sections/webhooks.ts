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

const recovery = `countersign webhook attempts ID
countersign webhook deliveries ID --status dead
countersign webhook redeliver DELIVERY_ID
countersign webhook redeliver-failed ID --since 2026-11-20T00:00:00Z
countersign webhook redeliver-matching ID --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z
countersign webhook pause ID
countersign webhook resume ID`;

const streamCommand = `curl -N https://sign.example.com/events -H "Authorization: Bearer $KEY"`;

export const webhooks: Section = {
  id: 'webhooks',
  title: 'Webhooks',
  entries: [
    { id: 'webhook-endpoints', title: 'Endpoints' },
    { id: 'webhook-signature', title: 'Signature' },
    { id: 'webhook-delivery', title: 'Delivery' },
    { id: 'webhook-recovery', title: 'When a receiver fails' },
    { id: 'webhook-test', title: 'Test events' },
    { id: 'event-stream', title: 'Event stream' },
  ],
  body: html`
${table(
  'Events',
  ['Event', 'Fires when'],
  webhookEvents.map(({ name, firesWhen }) => [code(name), prose(firesWhen)]),
)}
${paragraphs('Each event is one HTTP POST to every endpoint that subscribes to it, with the same id. Events also fire for documents sent with a test key. The document has the shape of the answer to [GET /documents/{id}](#get-document). For a restricted document only `id` is sent, also for events from before it was restricted, and so it is for every document to an endpoint that chose payload version 2.')}
${codeSample('Body', jsonCode(eventExample))}
<h3 id="webhook-endpoints">Endpoints</h3>
${paragraphs(`${registration} Each endpoint chooses its events and has a signing secret of its own, shown once.`)}
${codeSample('On the server', commands)}
${bullets(
  'The address must be `https` and lead to public addresses only: private, loopback, link-local and cloud-metadata addresses are refused. The address is checked at registration and again at every delivery, when the connection is made.',
  'The certificate must be valid for the host and come from an authority that the server trusts.',
  'After a change to a plan without webhooks, existing endpoints keep working. New ones are refused.',
)}
<h3 id="webhook-signature">Signature</h3>
${table(
  'Headers of a delivery',
  ['Header', 'Value'],
  webhookHeaders.map(({ name, value }) => [code(name), value]),
)}
${paragraphs(
  'The digest is HMAC-SHA256 over `<t>.<raw body>`, in lowercase hex. The key is the secret of the endpoint as shown, including the prefix `whsec_`. Verify the exact bytes received, compare in constant time, and refuse a timestamp older than 300 seconds.',
  'When the secret is rolled (`countersign webhook roll`), the old one stays valid for 24 hours. Each delivery has one `v1` value for each valid secret, newest first. Accept it if any of them matches. At most three secrets are valid at once, so a third roll within 24 hours is refused.',
)}
${codeSample('Node.js', verifySignatureSample)}
<h3 id="webhook-delivery">Delivery</h3>
${bullets(
  'Answer with any 2xx within 10 seconds to acknowledge. Only the headers must arrive in this time. The first 2 KiB of an answer are stored to help find failures.',
  'The delivery is retried after a 4xx, a 5xx, a timeout, a failed connection, an invalid certificate or a failed name lookup. The table shows the delays.',
  'A 3xx is not followed. The delivery is dead at once. The same holds for an address that is not public.',
  'A failure on the side of this server, such as its name server being down, does not count as an attempt.',
  'Events are delivered at least once. Deduplicate on `id`, which is the same for every attempt and every endpoint. Each attempt has the same body, byte for byte. The body depends on the payload version of the endpoint. The timestamp and the signature are new each time.',
  'Order is not guaranteed: `document.completed` can arrive before a `document.signed`.',
  'Webhooks are not a system of record. Reconcile regularly with [GET /documents?status=completed](#list-documents). No event fires when a document expires: ask for `status=expired`.',
)}
${table('Retries', ['After failure', 'Next attempt'], retries)}
${paragraphs('The operator of the server can set other delays and another timeout.')}
<h3 id="webhook-recovery">When a receiver fails</h3>
${bullets(
  'When an endpoint has failed for a day, without one success, the owners of the account get an e-mail. After five days it is paused, and they get another. One failure after a day without any attempt doesn’t pause it: the next one does.',
  'Events are still recorded for a paused endpoint. When it is resumed, they are delivered, oldest first. Those that were given up before the pause are not: repeat them.',
  'A delivery can be repeated at any time, also if it is dead. This makes a new delivery with the same event id and body, due at once. You can also repeat all failed deliveries since a given time. A paused endpoint gets them when it is resumed. A removed endpoint gets nothing.',
)}
${codeSample('On the server', recovery)}
<h3 id="webhook-test">Test events</h3>
${paragraphs('`countersign webhook test` sends one endpoint an event of the given type, also if it does not subscribe to it. Shape, headers, signature and retries are the same as for other events. The document is invented: its title is “Test event”, and its `id` does not exist.')}
<h3 id="event-stream">Event stream</h3>
${paragraphs(
  'Programs without a public address can read the events instead. This is an extension of this server, next to the API: `GET /events`, on the origin of the server, with a key that has the scope `documents:read`. The answer is a stream of server-sent events. The `data` of each is the body of the webhook request, byte for byte.',
  'Send the `id` of the last event as `Last-Event-ID` to continue after an interruption. Events come at least once: deduplicate on `id`. A connection counts as one request. A key can have 20 streams open at once, and the keys of a company 40 together; a server that has no stream left answers `server_busy`. A stream ends when the key is revoked, or when its client reads nothing for a minute.',
  '`POST /events` with `{"event": "document.completed"}` and a test key records a test event, for streams and for the endpoints that chose its type. `countersign listen` and `countersign trigger` use both.',
)}
${codeSample('Read the stream', streamCommand)}
`,
};
