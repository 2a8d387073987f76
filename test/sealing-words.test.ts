import { expect, test } from 'vitest';
import { auditActions } from '../src/documents/audit.ts';
import { wordsOf } from '../src/sealing/completion/words.ts';

test.each(['en', 'es'] as const)('the certificate has words for every action and detail: %s', (language) => {
  const words = wordsOf[language];
  expect(Object.keys(words.actions).sort()).toEqual([...auditActions].sort());
  expect(Object.keys(words.details)).toEqual(Object.keys(wordsOf.en.details));
  expect(Object.keys(words.values)).toEqual(Object.keys(wordsOf.en.values));
});
