import Fastify from 'fastify';
import { systemClock } from '../src/platform/clock.ts';
import { createNewId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { systemRandom } from '../src/platform/random.ts';
import { openDatabase } from '../src/postgres/database.ts';

/**
 * The floor: the same stack (Fastify, the same driver and pool, the same tables, prepared statements) without key, budget,
 * validation, envelope, audit or events. Runs as its own process and prints its port.
 */
const [databaseUrl = '', accountId = ''] = process.argv.slice(2);
const db = openDatabase({ url: databaseUrl, connectionsMax: 16, log: createLog('error') });
const newId = createNewId(systemClock, systemRandom);
const columns = `id, account_id, type, status, title, description, primary_language, secondary_language, recipient_count,
  sent_at, completed_at, voided_at, voided_reason, expires_at, created_at, updated_at`;

const app = Fastify({ logger: false });

app.get<{ Params: { id: string } }>('/documents/:id', async (request) => {
  const rows = await db.query({
    name: 'bare_get',
    text: `select ${columns} from documents where id = $1`,
    values: [request.params.id],
  });
  return rows[0];
});

app.get('/documents', async () =>
  db.query({
    name: 'bare_list',
    text: `select ${columns} from documents where account_id = $1 order by id desc limit 20`,
    values: [accountId],
  }),
);

app.post<{ Body: { title: string; recipients: Array<{ name: string; email: string }> } }>(
  '/documents',
  async (request, reply) => {
    const { title, recipients } = request.body;
    const rows = await db.query({
      name: 'bare_create',
      text: `with document as (
               insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode,
                 recipient_count, created_at, updated_at, audit_seq, audit_hash)
               values ($1, $2, 'form', 'draft', $3, 'en', 'parallel', $4, $5, $5, 1, $6) returning ${columns}
             ), parties as (
               insert into recipients (id, account_id, document_id, position, display_name, email, channel, sign_order,
                 auth_level, status)
               select r.id, $2, $1, r.position, r.name, r.email, 'email', r.position + 1, 'l0_email_link', 'pending'
               from unnest($7::uuid[], $8::smallint[], $9::text[], $10::text[]) as r (id, position, name, email)
             )
             select * from document`,
      values: [
        newId(),
        accountId,
        title,
        recipients.length,
        new Date(),
        Buffer.alloc(32),
        recipients.map(newId),
        recipients.map((_, position) => position),
        recipients.map((recipient) => recipient.name),
        recipients.map((recipient) => recipient.email),
      ],
    });
    reply.code(201);
    return rows[0];
  },
);

app.post<{ Params: { id: string } }>('/documents/:id/send', async (request) => {
  const rows = await db.query({
    name: 'bare_send',
    text: `with parties as (update recipients set status = 'sent', sent_at = $2 where document_id = $1)
           update documents set status = 'sent', sent_mode = 'test', sent_at = $2, updated_at = $2 where id = $1
           returning ${columns}`,
    values: [request.params.id, new Date()],
  });
  return rows[0];
});

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.stdout.write(`ready ${typeof address === 'object' && address !== null ? address.port : ''}\n`);
process.on('SIGTERM', () => process.exit(0));
