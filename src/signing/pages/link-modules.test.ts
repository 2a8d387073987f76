import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { linkModules } from './link-modules.ts';

const link = (modules: Record<string, string>) => linkModules('main.ts', new Map(Object.entries(modules)));

test('each module has a scope of its own, and runs once, behind those it imports', () => {
  const script = link({
    'main.ts': `import { double } from './double.ts';\nimport {\n  base as start,\n} from './base.ts';\nconst own = double(start);\nlog('main ' + own);`,
    'double.ts': `import { base } from './base.ts';\nconst own = 2;\nexport function double(number) { return own * number + base; }\nlog('double');`,
    'base.ts': `export const base = 5;\nlog('base');`,
  });
  const said: string[] = [];
  runInNewContext(script, { log: (words: string) => said.push(words) });
  expect(said).toEqual(['base', 'double', 'main 15']);
});

test('what cannot be linked is refused', () => {
  expect(() => link({ 'main.ts': `import { a } from './missing.ts';` })).toThrow('there is no module missing.ts');
  expect(() => link({ 'main.ts': `import pad from 'signature_pad';` })).toThrow('not linked');
  expect(() => link({ 'main.ts': 'export default 1;' })).toThrow('not linked');
  expect(() =>
    link({ 'main.ts': `import { b } from './b.ts';`, 'b.ts': `import { a } from './main.ts';\nexport const b = 1;` }),
  ).toThrow('in a circle: main.ts, b.ts, main.ts');
});
