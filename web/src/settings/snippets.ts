/** Sample code of a webhook receiver that checks signatures. */
export const receiverSnippet = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET;

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})/.exec(request.headers['x-service-signature'] ?? '') ?? [];
  const expected = createHmac('sha256', secret).update(\`\${t}.\${body}\`).digest();
  const isGenuine = v1 !== undefined
    && timingSafeEqual(Buffer.from(v1, 'hex'), expected)
    && Math.abs(Date.now() / 1000 - Number(t)) <= 300;
  response.writeHead(isGenuine ? 204 : 400).end();
  if (isGenuine) console.log(JSON.parse(body).event);
}).listen(8080);`;

/** Sample request that creates and sends a document. A test key sends no messages. */
export function curlSnippet(baseUrl: string, key: string): string {
  return `KEY=${key}
ID=$(curl -s ${baseUrl}/documents \\
  -H "Authorization: Bearer $KEY" \\
  -d '{
    "title": "My first document",
    "recipients": [{ "name": "Ada Lovelace", "email": "ada@example.com" }]
  }' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
curl -s -X POST ${baseUrl}/documents/$ID/send \\
  -H "Authorization: Bearer $KEY"`;
}

export function javascriptSnippet(baseUrl: string, key: string): string {
  return `const call = async (path, body = {}) => {
  const response = await fetch('${baseUrl}' + path, {
    method: 'POST',
    headers: { Authorization: 'Bearer ${key}' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

const draft = await call('/documents', {
  title: 'My first document',
  recipients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
});
console.log(await call(\`/documents/\${draft.id}/send\`));`;
}
