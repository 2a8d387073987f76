import Fastify from 'fastify';
import postgres from 'postgres';
import { v7 } from 'uuid';

/**
 * The floor: plain Fastify with `postgres` on the same tables, with prepared and pipelined statements, response schemas and
 * one pool of 10. It has none of our code, and no key, budget, validation, audit trail or events. Runs as its own
 * process and prints its port.
 */
const [databaseUrl = '', accountId = ''] = process.argv.slice(2);
const url = new URL(databaseUrl);
const socket = url.searchParams.get('host');
const sql = postgres({
  ...(socket === null ? { host: url.hostname, port: Number(url.port) } : { path: `${socket}/.s.PGSQL.5432` }),
  user: decodeURIComponent(url.username) || (url.searchParams.get('user') ?? 'postgres'),
  password: decodeURIComponent(url.password),
  database: url.pathname.slice(1) || 'postgres',
  max: 10,
});

const columns = sql`'document' as object, id, type, status, title, description, primary_language, secondary_language,
  recipient_count, sent_at, completed_at, voided_at, voided_reason, expires_at, created_at, updated_at`;

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const timeOrNull = { type: ['string', 'null'], format: 'date-time' };
const documentSchema = {
  type: 'object',
  properties: {
    object: text,
    id: text,
    type: text,
    status: text,
    title: text,
    description: textOrNull,
    primary_language: text,
    secondary_language: textOrNull,
    recipient_count: { type: 'integer' },
    sent_at: timeOrNull,
    completed_at: timeOrNull,
    voided_at: timeOrNull,
    voided_reason: textOrNull,
    expires_at: timeOrNull,
    created_at: { type: 'string', format: 'date-time' },
    updated_at: { type: 'string', format: 'date-time' },
  },
};
const listSchema = {
  type: 'object',
  properties: {
    object: text,
    data: { type: 'array', items: documentSchema },
    has_more: { type: 'boolean' },
    next_cursor: textOrNull,
  },
};

const app = Fastify({ logger: false });

app.get<{ Params: { id: string } }>(
  '/documents/:id',
  { schema: { response: { 200: documentSchema } } },
  async (request) => {
    const [document] = await sql`select ${columns} from documents where id = ${request.params.id}`;
    return document;
  },
);

app.get('/documents', { schema: { response: { 200: listSchema } } }, async () => {
  const data = await sql`select ${columns} from documents where account_id = ${accountId} order by id desc limit 20`;
  return { object: 'list', data, has_more: true, next_cursor: data.at(-1)?.id };
});

app.post<{ Body: { title: string; recipients: Array<{ name: string; email: string }> } }>(
  '/documents',
  { schema: { response: { 201: documentSchema } } },
  async (request, reply) => {
    const { title, recipients } = request.body;
    const [id, now] = [v7(), new Date()];
    const [document] = await sql`
      with document as (
        insert into documents (id, account_id, type, status, title, primary_language, sign_order_mode, recipient_count,
          created_at, updated_at, audit_seq, audit_hash)
        values (${id}, ${accountId}, 'form', 'draft', ${title}, 'en', 'parallel', ${recipients.length}, ${now}, ${now}, 1,
          ${Buffer.alloc(32)})
        returning *
      ), parties as (
        insert into recipients (id, account_id, document_id, position, display_name, email, channel, sign_order, auth_level,
          status)
        select r.id, ${accountId}, ${id}, r.position - 1, r.name, r.email, 'email', r.position, 'l0_email_link', 'pending'
        from unnest(${recipients.map(() => v7())}::uuid[], ${recipients.map(({ name }) => name)}::text[],
          ${recipients.map(({ email }) => email)}::text[]) with ordinality as r (id, name, email, position)
      )
      select ${columns} from document`;
    reply.code(201);
    return document;
  },
);

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.stdout.write(`ready ${typeof address === 'object' && address !== null ? address.port : ''}\n`);
process.on('SIGTERM', () => process.exit(0));
