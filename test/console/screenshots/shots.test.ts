import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shots } from './shots.ts';

/** The paths of the console's routes, such as `/documents/$id`. */
const routes = globSync('web/src/*/routes.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^\s*path: '([^']+)'/gm)].map(([, path]) => path as string),
);

test('`npm run screenshots` looks at every page of the console', () => {
  expect(routes.length).toBeGreaterThan(40);
  const looksAt = (route: string) => {
    const pattern = new RegExp(`^${route.replace(/\$\w+/g, String.raw`\{\w+\}`).replace(/\$$/, '.+')}$`);
    return shots.some(({ path }) => pattern.test(path.split('?')[0] as string));
  };
  expect(routes.filter((route) => !looksAt(route))).toEqual([]);
});
