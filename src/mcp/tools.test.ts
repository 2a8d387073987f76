import { expect, test } from 'vitest';
import { operations } from './operations.ts';
import { sendTool } from './send-document.ts';
import { tools } from './tools.ts';

test('each operation of the API is a tool', () => {
  const outputs = new Set<unknown>([...tools, sendTool].map(({ output }) => output));
  const left = Object.entries(operations).filter(([, { output }]) => !outputs.has(output));
  expect(left.map(([id]) => id)).toEqual([]);
});
