import { oneLine } from '../platform/visible-text.ts';

const lengthMax = 300;

/**
 * Returns the first line of an error for people who run the service. Errors quote what other servers answered, so e-mail
 * addresses, telephone numbers, paths of URLs and anything like a token are left out. UUIDs stay.
 */
export function errorText(message: string): string {
  const [line = ''] = message.trim().split(/[\r\n]/, 1);
  const plain = line
    .replaceAll(url, '$1$2')
    .replaceAll(address, '[address]')
    .split(uuid)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(token, '[…]').replaceAll(telephone, '[number]')))
    .join('');
  const visible = oneLine(plain);
  return visible.length <= lengthMax ? visible : `${visible.slice(0, lengthMax - 1).toWellFormed()}…`;
}

/** Its scheme and host are kept. */
const url = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/@]*@)?([^\s/?#"'<>@]+)[^\s"'<>]*/giu;
/** Starts only where a word starts. Otherwise the time would grow with the square of a word's length. */
const address = /(?<![^\s<>"'(),;:])[^\s<>"'(),;:]+@[^\s<>"'(),;]+/gu;
/** With a group, so that `split` keeps it. */
const uuid = /\b([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\b/i;
const token = /[A-Za-z0-9_+/=-]{20,}/g;
const telephone = /\+\d[\d\s().-]{5,}\d|\d{8,}|\(?\d{2,4}\)?[\s-]\d{2,4}[\s-]\d{3,}/g;
