import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentTypes } from '../document-types.ts';
import { formatNumber, readNumber } from '../documents/number-value.ts';
import { Html, html } from '../http/html.ts';
import { type PageLanguage, pageLanguages, texts } from './texts.ts';

const others = pageLanguages.filter((language) => language !== 'en');

/** Texts that are the same in two languages, because the words are. */
const same: Partial<Record<PageLanguage, string[]>> = {
  de: ['.documentTypes.license'],
  it: ['.file.fieldTypes.upload', '.file.fieldFile'],
  fr: [
    ...['other', 'general', 'note'].map((type) => `.documentTypes.${type}`),
    ...['.signatureStyle', '.file.fieldTypes.signature', '.file.fieldTypes.date', '.file.onPage()'],
  ],
};

/** Every text of a language by its path, with marks in place of the arguments. */
function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function')
    return calls(value as Sentence, path.endsWith('codeGoesTo')).map(([name, text]) => [`${path}${name}`, text]);
  if (Array.isArray(value)) return value.flatMap((inner, index) => leaves(inner, `${path}.${index}`));
  if (value instanceof Html) return [[path, value.markup]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`));
}

type Sentence = (...values: unknown[]) => unknown;

/** Calls a text with marks. Those with numbers or no values are called with some of each. */
function calls(sentence: Sentence, takesNone: boolean): [string, string][] {
  const marks = [html`{1}`, html`{2}`, html`{3}`].slice(0, sentence.length);
  const results: [string, unknown[]][] = [['()', marks]];
  if (takesNone) results.push(['(null)', [null]]);
  if (sentence.length === 3) {
    for (const decimals of [null, 0, 1, 2]) {
      for (const [min, max] of [
        [null, null],
        ['{1}', null],
        [null, '{2}'],
        ['{1}', '{2}'],
      ]) {
        results.push([`(${min}, ${max}, ${decimals})`, [min, max, decimals]]);
      }
    }
  }
  return results.flatMap(([name, values]) => leaves(sentence(...values), name));
}

function marksOf(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
}

test('each directory is a language of the list, and each language has one', () => {
  const folders = readdirSync(import.meta.dirname).filter((name) =>
    statSync(join(import.meta.dirname, name)).isDirectory(),
  );
  expect(folders.sort()).toEqual([...pageLanguages].sort());
});

test('every language has the texts of English, with the same placeholders', () => {
  const english = new Map(leaves(texts.en));
  expect(english.size).toBeGreaterThan(300);
  for (const language of others) {
    const translated = new Map(leaves(texts[language]));
    expect([...translated.keys()], language).toEqual([...english.keys()]);
    for (const [path, text] of translated) {
      expect(text.trim(), `${language}${path}`).not.toBe('');
      expect(marksOf(text), `${language}${path}`).toEqual(marksOf(english.get(path) ?? ''));
    }
  }
});

test('no text was left in English', () => {
  const english = new Map(leaves(texts.en));
  for (const language of others) {
    const equal = leaves(texts[language]).filter(
      ([path, text]) => english.get(path) === text && /\p{L}{2}/u.test(text),
    );
    const found = equal.map(([path]) => path).filter((path) => !same[language]?.includes(path));
    expect(found, language).toEqual([]);
  }
  const words = /\b(the|your|you|this|with|choose|please|enter|document was|and)\b/i;
  for (const language of others) {
    const found = leaves(texts[language]).filter(([, text]) => words.test(text));
    expect(found, language).toEqual([]);
  }
});

test('the name of a language is its own, and each of its texts is written with its marks', () => {
  for (const language of pageLanguages) {
    const own = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? '';
    expect(texts[language].name.toLowerCase()).toBe(own.toLowerCase());
    for (const [path, text] of leaves(texts[language])) {
      expect(text, `${language}${path}`).not.toMatch(/ {2}|\.\.\.|\bundefined\b|\bnull\b|\s[.,]/);
      // French has a no-break space before these signs, and the others have none.
      const signs = language === 'fr' ? /[^\u00a0][:;!?]/ : /\s[:;!?]/;
      expect(text, `${language}${path}`).not.toMatch(signs);
    }
  }
});

test('one decimal place is named in the singular, and more in the plural', () => {
  const places: Record<PageLanguage, [one: string, two: string]> = {
    en: ['1 decimal place.', '2 decimal places.'],
    es: ['1 decimal como', '2 decimales como'],
    de: ['1 Nachkommastelle ein', '2 Nachkommastellen ein'],
    fr: ['1 décimale au', '2 décimales au'],
    it: ['1 decimale.', '2 decimali.'],
    pt: ['1 casa decimal.', '2 casas decimais.'],
  };
  for (const language of pageLanguages) {
    const { numberRule } = texts[language].file;
    expect(numberRule(null, null, 1)).toContain(places[language][0]);
    expect(numberRule(null, null, 2)).toContain(places[language][1]);
    // Sentences with a count name at least two fields, or a number next to a noun that stands for any.
    expect(new Intl.PluralRules(language).select(2)).not.toBe('one');
  }
});

test('the short texts fit a narrow screen', () => {
  for (const language of pageLanguages) {
    const { start, sign, approve, decline, cancel, finish, clear, type, draw, file } = texts[language];
    for (const text of [start, sign, approve, decline, cancel, finish, clear, file.script.next]) {
      expect(text.length, `${language}: ${text}`).toBeLessThanOrEqual(15);
    }
    expect([type, draw, file.upload].join('').length, language).toBeLessThanOrEqual(24);
  }
});

test('numbers are written as the language writes them, and read again', () => {
  const rules = { number_min: null, number_max: null, decimals: null };
  for (const language of pageLanguages) {
    const { numbers } = texts[language];
    const written = formatNumber('-1200.5', numbers);
    const decimal = new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value;
    expect(written).toBe(`-1200${decimal}5`);
    expect(readNumber(written, numbers, rules)).toBe('-1200.5');
    const grouped = new Intl.NumberFormat(language, { useGrouping: 'always' }).format(1_234_567.5);
    // Groups by a point or a comma have two readings.
    expect([null, '1234567.5']).toContain(readNumber(grouped, numbers, rules));
  }
  for (const language of ['en', 'es'] as const) {
    for (const value of ['1200.5', '1.200', '1,200', '1 200']) {
      expect(readNumber(value, texts[language].numbers, rules)).toBe(readNumber(value, language, rules));
    }
  }
  // The keyboards of some phones have no point.
  for (const language of pageLanguages) expect(readNumber('1200,5', texts[language].numbers, rules)).toBe('1200.5');
});

test('every type of document has a name', () => {
  for (const language of pageLanguages) expect(Object.keys(texts[language].documentTypes)).toEqual(documentTypes);
});
