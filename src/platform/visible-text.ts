/**
 * Characters that could move the cursor, recolour, hide or reorder text: control characters, line and paragraph separators,
 * lone surrogates and invisible format characters such as bidirectional overrides. Joiners stay, because emoji and Persian
 * need them and they affect only their neighbours. So does one variation selector; a row of them is hidden text.
 */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?<=\p{Variation_Selector})\p{Variation_Selector}/gu;

/** Makes text from users safe to show on one line of a terminal or a dialog. */
export function oneLine(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character === '\n') return '\\n';
    return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
  });
}

/** Writes JSON with these characters as escapes. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(unsafe, escapeOf);
}

/** Copies a value of JSON. In its strings these characters are written as in `visibleJson`, but line breaks and tabs stay. */
export function visibleCopy<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_name, each) =>
    typeof each === 'string'
      ? each.replace(unsafe, (character) => (/[\t\n\r]/.test(character) ? character : escapeOf(character)))
      : each,
  );
}

function escapeOf(character: string): string {
  let escaped = '';
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
