import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleJpeg, samplePng } from '../../test/support/sample-logo.ts';
import { makePng } from '../sealing/testing/sample-png.ts';
import { cleanLogo, fitLogo, logoBytesMax } from './logo.ts';

const evil = Buffer.from('<!doctype html><script>alert(1)</script>');

test('a PNG is written again with its pixels alone', () => {
  const first = cleanLogo(samplePng());
  expect([first?.type, first?.width, first?.height]).toEqual(['png', 120, 40]);
  const png = makePng({ width: 3, height: 3, extra: [['tEXt', evil]] });
  const clean = cleanLogo(Buffer.concat([png, evil]));
  expect(clean?.bytes.includes('<script')).toBe(false);
  expect(clean?.bytes).toEqual(cleanLogo(makePng({ width: 3, height: 3 }))?.bytes);
  expect(cleanLogo(clean?.bytes as Buffer)).toEqual(clean);
});

test('a JPEG is written again without metadata, comments and what follows its end', () => {
  const first = cleanLogo(sampleJpeg);
  expect([first?.type, first?.width, first?.height]).toEqual(['jpeg', 24, 10]);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, evil.length + 2]), evil]);
  const polyglot = Buffer.concat([sampleJpeg.subarray(0, 2), comment, sampleJpeg.subarray(2), evil]);
  expect(cleanLogo(polyglot)).toEqual(first);
  expect(first?.bytes.includes('ICC_PROFILE')).toBe(false);
  expect(cleanLogo(first?.bytes as Buffer)).toEqual(first);
});

const frameAt = sampleJpeg.indexOf(Buffer.from([0xff, 0xc0]));
const changedJpeg = (at: number, ...bytes: number[]) => {
  const changed = Buffer.from(sampleJpeg);
  changed.set(bytes, at);
  return changed;
};
/** The JPEG with its only scan several times, as in a progressive one. */
function withScans(scans: number): Buffer {
  const scanAt = sampleJpeg.indexOf(Buffer.from([0xff, 0xda]));
  const scan = sampleJpeg.subarray(scanAt, -2);
  return Buffer.concat([sampleJpeg.subarray(0, scanAt), ...Array(scans).fill(scan), sampleJpeg.subarray(-2)]);
}
const palette = (colours: number) => [['PLTE', Buffer.alloc(3 * colours)]] as Array<[string, Buffer]>;
const indexed = (extra: Array<[string, Buffer]>) =>
  makePng({ width: 1, height: 1, colourType: 3, rows: Buffer.from([0, 0]), extra });

test.each<[string, Uint8Array]>([
  ['nothing', Buffer.alloc(0)],
  ['HTML', evil],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
  ['a PNG that is cut off', samplePng().subarray(0, -20)],
  ['a PNG with a wrong checksum', Buffer.from(samplePng()).fill(1, 60, 62)],
  ['an interlaced PNG', makePng({ width: 8, height: 8, interlace: 1 })],
  ['a PNG of huge size', makePng({ width: 60_000, height: 60_000, rows: Buffer.alloc(10) })],
  ['a PNG that is too wide', samplePng({ width: 1001, height: 1 })],
  ['a PNG that is too high', samplePng({ width: 1, height: 501 })],
  ['a PNG that unpacks to more than it says', makePng({ width: 2, height: 2, rows: Buffer.alloc(50_000_000) })],
  ['a PNG with too large a palette', indexed(palette(257))],
  ['a PNG with more transparency than colours', indexed([...palette(1), ['tRNS', Buffer.alloc(2)]])],
  ['a file that is too large', Buffer.concat([samplePng(), Buffer.alloc(logoBytesMax)])],
  ['a JPEG that is cut off', sampleJpeg.subarray(0, -2)],
  ['a JPEG that ends in its header', sampleJpeg.subarray(0, frameAt + 3)],
  ['a JPEG without pixels', Buffer.concat([sampleJpeg.subarray(0, frameAt + 19), Buffer.from([0xff, 0xd9])])],
  ['a JPEG of huge size', changedJpeg(frameAt + 5, 0xff, 0xff, 0xff, 0xff)],
  ['a JPEG of no size', changedJpeg(frameAt + 5, 0, 0)],
  ['a JPEG of twelve bits', changedJpeg(frameAt + 4, 12)],
  ['a lossless JPEG', changedJpeg(frameAt + 1, 0xc3)],
  ['a JPEG with another number of colours', changedJpeg(frameAt + 9, 4)],
  ['a JPEG that makes readers go over it a thousand times', withScans(1000)],
  ['HTML behind the start of a JPEG', Buffer.concat([Buffer.from([0xff, 0xd8]), evil])],
])('%s is refused', (_name, bytes) => {
  expect(cleanLogo(bytes)).toBeNull();
});

test('a logo of the largest size is taken, and a JPEG with as many scans as programs write', () => {
  expect(cleanLogo(withScans(20))).not.toBeNull();
  expect(cleanLogo(samplePng({ width: 1000, height: 500 }))).toMatchObject({ width: 1000, height: 500 });
});

test('damaged pictures never throw, and what is taken stays as it is', () => {
  const source = fc.constantFrom(sampleJpeg, samplePng());
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 5 });
  fc.assert(
    fc.property(source, damage, fc.nat({ max: 40 }), (bytes, changes, cut) => {
      const damaged = Buffer.from(bytes.subarray(0, bytes.length - (cut > 20 ? cut : 0)));
      for (const [at, value] of changes) damaged[at % damaged.length] = value;
      const clean = cleanLogo(damaged);
      if (clean !== null) expect(cleanLogo(clean.bytes)).toEqual(clean);
    }),
    { numRuns: 1500 },
  );
});

test('a logo is shown within its box and never enlarged', () => {
  const box = { width: 220, height: 44 };
  expect(fitLogo({ width: 880, height: 88 }, box)).toEqual({ width: 220, height: 22 });
  expect(fitLogo({ width: 10, height: 10 }, box)).toEqual({ width: 10, height: 10 });
  expect(fitLogo({ width: 2000, height: 1 }, box)).toEqual({ width: 220, height: 1 });
});
