import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { Refusal } from '../../errors.ts';
import { oneOf } from '../core/arguments.ts';
import { answer } from '../core/terminal.ts';

const languages = ['node', 'python', 'go', 'php'] as const;
type Language = (typeof languages)[number];

const runWith: Record<Language, string> = {
  node: 'PORT=8080 node receiver.mjs',
  python: 'PORT=8080 python3 receiver.py',
  go: 'PORT=8080 go run receiver.go',
  php: 'php -S 127.0.0.1:8080 receiver.php',
};

const samplesDir = fileURLToPath(new URL('../../../samples', import.meta.url));

export function define(samples: Command): void {
  samples
    .command('create')
    .description('create a small program that receives webhooks and checks their signatures')
    .argument('<language>', languages.join(', '), oneOf('the language', languages))
    .option('--out <directory>', 'a new or empty directory; by default countersign-<language>')
    .action(async (language: Language, { out = `countersign-${language}` }: { out?: string }, command: Command) => {
      const files = await copySample(join(samplesDir, language), out);
      const directory = resolve(out);
      answer(command, { language, directory, files, run: runWith[language] }, () => nextSteps(out, language));
    });
}

async function copySample(from: string, to: string): Promise<string[]> {
  const present = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Refusal(error.code === 'ENOTDIR' ? `${to} is a file` : `${to} can't be read: ${error.code}`);
  });
  if (present.length > 0) throw new Refusal(`${to} is not empty: choose another directory with --out`);
  await mkdir(to, { recursive: true });
  const files = await readdir(from);
  for (const file of files) await copyFile(join(from, file), join(to, file));
  return files;
}

function nextSteps(out: string, language: Language): string {
  return `created ${out}. Next:

  countersign listen --forward-to 8080      # prints the signing secret
  cd ${out} && WEBHOOK_SECRET=whsec_… ${runWith[language]}
  countersign trigger document.completed    # needs a test key: countersign login --profile test
`;
}
