import { createHash } from 'node:crypto';
import { type AccentColours, accentColours } from './accent.ts';

/**
 * Returns the stylesheet that gives signing pages an accent colour. It depends on the colour alone. Each value names its light
 * and its dark form as `http/styles/tokens.css` does.
 */
export function accentCss(accent: string): string {
  const { light, dark } = accentColours(accent);
  const lines = names.map(([name, key]) => `  --${name}: var(--light, ${light[key]}) var(--dark, ${dark[key]});\n`);
  return `:root {\n${lines.join('')}}\n`;
}

const names: [name: string, key: keyof AccentColours][] = [
  ['accent', 'text'],
  ['accent-strong', 'textStrong'],
  ['accent-wash', 'wash'],
  ['on-accent', 'onText'],
  ['fill', 'fill'],
  ['fill-strong', 'fillStrong'],
  ['fill-edge', 'fillEdge'],
  ['on-fill', 'onFill'],
];

/** Returns the address of a colour's stylesheet. It has a hash of the content, so that browsers may keep it forever. */
export function accentAddress(accent: string): string {
  return `/brand/accent/${accent.slice(1)}.${hashOf(accentCss(accent))}.css`;
}

function hashOf(css: string): string {
  return createHash('sha256').update(css).digest('hex').slice(0, 10);
}
