import type { Endpoint } from '../api/endpoint.ts';
import { exampleOf } from '../api/openapi/examples.ts';
import { operationIdOf } from '../api/openapi/names.ts';
import { type Html, html } from '../http/html.ts';

type Language = 'typescript' | 'python';

interface ClientCall {
  /** The method of both clients, such as `documents.create`. */
  method: string;
  takes: 'nothing' | 'id' | 'body';
  /** Whether the answer is a list over several pages. */
  isPaged?: true;
  /** The variable that holds the answer or, in a loop, one item. */
  result: string;
}

const calls: Record<string, ClientCall> = {
  getAccount: { method: 'account', takes: 'nothing', result: 'account' },
  listDocuments: { method: 'documents.list', takes: 'nothing', isPaged: true, result: 'document' },
  createDocument: { method: 'documents.create', takes: 'body', result: 'document' },
  getDocument: { method: 'documents.get', takes: 'id', result: 'document' },
  sendDocument: { method: 'documents.send', takes: 'id', result: 'document' },
  listDocumentRecipients: { method: 'documents.recipients', takes: 'id', result: 'recipients' },
  downloadDocument: { method: 'documents.download', takes: 'id', result: 'download' },
  listImports: { method: 'imports.list', takes: 'nothing', isPaged: true, result: 'each' },
  createImport: { method: 'imports.start', takes: 'body', result: 'started' },
  getImport: { method: 'imports.get', takes: 'id', result: 'found' },
  listImportItems: { method: 'imports.items', takes: 'id', isPaged: true, result: 'item' },
};

/** Returns what comes before every sample of a client: `countersign`, with the key from the environment. */
export function clientSetup(language: Language, baseUrl: string): string {
  if (language === 'python') {
    return `import os
from countersign import Countersign

countersign = Countersign("${baseUrl}", os.environ["COUNTERSIGN_KEY"])`;
  }
  return `import { Countersign } from '@countersign/client';

const countersign = new Countersign({
  baseUrl: '${baseUrl}',
  apiKey: process.env.COUNTERSIGN_KEY ?? '',
});`;
}

/** Returns the example request of an endpoint as a call of a client. The id is read from an environment variable. */
export function clientCallOf(endpoint: Endpoint, language: Language): string {
  const operation = operationIdOf(endpoint);
  const call = calls[operation];
  if (call === undefined) throw new Error(`no client call for ${operation}`);
  const { method, takes, isPaged = false, result } = call;
  const body = exampleOf(endpoint).request ?? {};
  if (language === 'python') {
    const input = { nothing: '', id: 'os.environ["ID"]', body: pythonOf(body) }[takes];
    if (isPaged)
      return `for ${result} in countersign.${method}(${input}):\n    print(${result}["id"], ${result}["status"])`;
    return `${result} = countersign.${method}(${input})\nprint(${result})`;
  }
  const input = {
    nothing: '',
    id: "process.env.ID ?? ''",
    body: typescriptOf(body),
  }[takes];
  if (isPaged) {
    return `for await (const ${result} of countersign.${method}(${input})) {\n  console.log(${result}.id, ${result}.status);\n}`;
  }
  return `const ${result} = await countersign.${method}(${input});\nconsole.log(${result});`;
}

/** Renders code that a reader opens. */
export function foldedSample(title: string, code: string): Html {
  return html`<details class="code"><summary>${title}</summary><pre tabindex="0"><code>${code}</code></pre></details>\n`;
}

function typescriptOf(value: object): string {
  return JSON.stringify(value, null, 2)
    .replace(/(?<=^ *)"(\w+)":/gm, '$1:')
    .replace(/"([^"'\\]*)"/g, "'$1'");
}

function pythonOf(value: object): string {
  return JSON.stringify(value, null, 4).replace(
    /(?<=: )(true|false|null)(?=,?$)/gm,
    (word) => pythonWords[word] ?? word,
  );
}

const pythonWords: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
