import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { cleanText } from '../layout/clean-text.ts';
import type { Word } from '../layout/word.ts';

/** A picture of a page with one byte of grey for each pixel. */
export interface GreyImage {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** Recognises text in pictures. Positions are in pixels. */
export interface Recogniser {
  recognise(image: GreyImage): Word[];
}

/** Minimum confidence in percent. Less confident results are usually specks. */
const confidenceMin = 40;
const languages = ['eng', 'spa'];
/** Tesseract's mode for the neural network, the only engine in this build. */
const lstmOnly = 1;

/** Loads Tesseract (WebAssembly) with the installed languages. Null without the optional packages. */
export async function loadRecogniser(): Promise<Recogniser | null> {
  const installed = languages.flatMap((language) =>
    pathOf(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`, language),
  );
  const core = pathOf('tesseract.js-core/tesseract-core-simd-lstm.js', 'core')[0];
  if (core === undefined || installed.length === 0) return null;
  const start = createRequire(import.meta.url)(core.path) as (options: object) => Promise<Core>;
  const tesseract = await start({ print() {}, printErr() {} });
  for (const { name, path } of installed) {
    tesseract.FS.writeFile(`${name}.traineddata`, gunzipSync(await readFile(path)));
  }
  const api = new tesseract.TessBaseAPI();
  if (api.Init(null, installed.map(({ name }) => name).join('+'), lstmOnly) !== 0) return null;
  return {
    recognise(image) {
      tesseract.FS.writeFile('/input', portableGreyMap(image));
      if (api.SetImageFile(1, 0) !== 0 || api.Recognize(null) !== 0) return [];
      const { blocks } = JSON.parse(api.GetJSONText()) as { blocks: FoundBlock[] | null };
      api.Clear();
      return (blocks ?? [])
        .flatMap(({ paragraphs }) => paragraphs)
        .flatMap(({ lines }) => lines)
        .flatMap(wordsOf);
    },
  };
}

interface Core {
  FS: { writeFile(path: string, bytes: Uint8Array): void };
  TessBaseAPI: new () => {
    Init(path: null, languages: string, engine: number): number;
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetJSONText(): string;
    Clear(): void;
  };
}

interface FoundBlock {
  paragraphs: Array<{ lines: FoundLine[] }>;
}

interface FoundLine {
  baseline: { y0: number; y1: number };
  rowAttributes: { rowHeight: number };
  words: Array<{ text: string; confidence: number; bbox: { x0: number; y0: number; x1: number; y1: number } }>;
}

function pathOf(specifier: string, name: string): Array<{ name: string; path: string }> {
  try {
    const path = fileURLToPath(import.meta.resolve(specifier));
    return existsSync(path) ? [{ name, path }] : [];
  } catch {
    return []; // not installed
  }
}

function portableGreyMap({ pixels, width, height }: GreyImage): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

/** Returns the words of a line. A picture has no font size, so it is estimated from the line height, in half points. */
function wordsOf({ baseline, rowAttributes, words }: FoundLine): Word[] {
  const sure = words.filter(({ confidence, text }) => confidence >= confidenceMin && text.trim() !== '');
  return sure.map(({ text, bbox }) => ({
    text: cleanText(text.trim()),
    x: bbox.x0,
    y: bbox.y0,
    width: bbox.x1 - bbox.x0,
    height: bbox.y1 - bbox.y0,
    baseline: (baseline.y0 + baseline.y1) / 2,
    size: rowAttributes.rowHeight,
    bold: false,
    italic: false,
  }));
}
