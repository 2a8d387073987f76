import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

const receivers: [string, string, string][] = [
  ['Node.js', 'node/receiver.mjs', 'js'],
  ['Python', 'python/receiver.py', 'python'],
  ['Go', 'go/receiver.go', 'go'],
  ['PHP', 'php/receiver.php', 'php'],
];

/** Pages of the site that are files outside of `docs/`: the path of each in the repository. */
export const pagesElsewhere: Record<string, string> = {
  'changelog.md': 'CHANGELOG.md',
  'clients/typescript.md': 'packages/client/README.md',
  'clients/python.md': 'packages/client-python/README.md',
  'clients/react.md': 'packages/react/README.md',
};

/** Pages of the site that are made from other files, by path. */
export const virtualPages: Record<string, string> = {
  ...Object.fromEntries(Object.entries(pagesElsewhere).map(([page, path]) => [page, read(path)])),
  'guides/receivers.md': `# Receivers in four languages

Small programs that check signatures, ignore repeated events and answer in time. \`countersign samples create node\` (or \`python\`,
\`go\`, \`php\`) writes them to a directory, and [countersign listen](api-client.md#receive-webhooks-on-your-machine) sends them events.
${receivers.map(([title, path, language]) => `\n## ${title}\n\n\`\`\`${language}\n${read(`samples/${path}`)}\`\`\`\n`).join('')}`,
};

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}
