/** Returns the form in which e-mail addresses are compared: the same as on the server (`src/platform/canonical-email.ts`). */
export function canonicalEmail(address: string): string {
  const text = address.trim();
  const at = text.lastIndexOf('@') + 1;
  return localPart(text.slice(0, at)) + domain(text.slice(at));
}

/** NFC turns these three into ASCII, which they must not become. */
const becomesAscii = /([\u212a\u037e\u1fef])/u;

function localPart(text: string): string {
  const parts = lowerAscii(text).split(becomesAscii);
  return parts.map((part) => (becomesAscii.test(part) ? part : part.normalize('NFC'))).join('');
}

const ascii = /^[\0-\x7f]*$/;
const foreignToHosts = /[\0-,/:-@[-^`{-\x7f]/;
const ipAddress = /^[\d.]+$/;

function domain(text: string): string {
  const lower = lowerAscii(text);
  if (ascii.test(lower) || foreignToHosts.test(lower)) return lower;
  const label = URL.canParse(`ws://${lower}`) ? new URL(`ws://${lower}`).hostname : '';
  return label === '' || ipAddress.test(label) ? lower : label;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
