import { expect, test } from 'vitest';
import { datasets, sheets } from './datasets.ts';
import { readmeOf } from './readme.ts';

test.each(['en', 'es'] as const)('README.txt names each file of rows (%s)', (language) => {
  const named = readmeOf(language).match(/[\w-]+\.\w+/g);
  for (const { file } of [...datasets, ...sheets]) expect(named).toContain(file);
});
