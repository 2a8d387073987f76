import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decoded } from './decode-stream.ts';
import { AmbiguousError, dictOf, ValueReader } from './read-value.ts';

/** Two rows of three columns. Each row begins with the number of its predictor. */
const predicted = Buffer.from([0, 1, 2, 3, 2, 1, 1, 1]);

const decode = (dict: string, data: Buffer = deflateSync(predicted)) =>
  decoded(dictOf(new ValueReader(Buffer.from(`<< ${dict} >>`), 0).value()), data, 3);

test('rows are decoded with the PNG predictors None and Up', () => {
  const rows = decode('/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 3 >>');
  expect([...rows]).toEqual([1, 2, 3, 2, 3, 4]);
});

test('data without a predictor stays as it is', () => {
  expect(decode('/Filter [/FlateDecode]')).toEqual(predicted);
  expect(decode('/Filter /FlateDecode /DecodeParms << /Predictor 1 /Columns 3 >>')).toEqual(predicted);
  expect(decode('', predicted)).toEqual(predicted);
});

test.each([
  ['a predictor in another object', '/Filter /FlateDecode /DecodeParms << /Predictor 5 0 R /Columns 3 >>'],
  ['a number of columns in another object', '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 5 0 R >>'],
  ['parameters in another object', '/Filter /FlateDecode /DecodeParms 5 0 R'],
  ['a filter in another object', '/Filter 5 0 R'],
  ['another number of columns', '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >>'],
  ['two colours', '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 3 /Colors 2 >>'],
  ['the TIFF predictor', '/Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns 3 >>'],
  ['a parameter of other filters', '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 3 /EarlyChange 0 >>'],
  ['two filters', '/Filter [/ASCIIHexDecode /FlateDecode]'],
  ['another filter', '/Filter /LZWDecode'],
  ['data in another file', '/F (other.pdf)'],
])('a stream is ambiguous that has %s', (_, dict) => {
  expect(() => decode(dict)).toThrow(AmbiguousError);
});

test('damaged data is ambiguous', () => {
  expect(() => decode('/Filter /FlateDecode', deflateSync(predicted).subarray(0, 6))).toThrow(AmbiguousError);
  const unknown = deflateSync(Buffer.from([3, 1, 2, 3]));
  expect(() => decode('/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 3 >>', unknown)).toThrow(
    AmbiguousError,
  );
});
