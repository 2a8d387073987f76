/** The colours of pages and e-mails that are derived from one accent colour, in one theme. All are `#rrggbb`. */
export interface AccentColours {
  /** Background of the main button, and the text on it. */
  fill: string;
  fillStrong: string;
  onFill: string;
  /** Border of the main button, which separates a very light fill from the page. */
  fillEdge: string;
  /** Links and other text in the accent colour, also as a background, and the text on that. */
  text: string;
  textStrong: string;
  onText: string;
  /** Background of text in the accent colour. */
  wash: string;
}

/** Minimum contrast of text (WCAG 2.2, 1.4.3), and of the outline of a control (1.4.11). */
const textContrastMin = 4.5;
const edgeContrastMin = 3;

/** The backgrounds that text lies on, from `http/styles/tokens.css`. */
const lightBackgrounds = ['#fffefb', '#f6f4ee', '#f1efe9', '#e4e1d9', '#ffffff'];
const darkBackgrounds = ['#14161c', '#121419', '#0c0e12', '#1b1e25', '#20242d', '#22262f'];
const lightSheet = '#fffefb';
const darkSheet = '#1b1e25';
const [white, black] = ['#ffffff', '#000000'];

export const accentPattern = /^#[0-9a-f]{6}$/;

/** Derives all colours from an accent colour. Text always has a contrast of at least 4.5:1. */
export function accentColours(accent: string): { light: AccentColours; dark: AccentColours } {
  return { light: lightColours(accent), dark: darkColours(accent) };
}

function lightColours(accent: string): AccentColours {
  const wash = mixed(accent, lightSheet, 0.1);
  const text = moved(accent, black, (colour) => isReadable(colour, [...lightBackgrounds, wash]));
  const edge = contrast(accent, lightSheet) < edgeContrastMin ? text : accent;
  return { ...filled(accent), fillEdge: edge, text, textStrong: mixed(black, text, 0.25), onText: white, wash };
}

/** A fill that would vanish on a dark page is made lighter. */
function darkColours(accent: string): AccentColours {
  const wash = mixed(accent, darkSheet, 0.15);
  const text = moved(accent, white, (colour) => isReadable(colour, [...darkBackgrounds, wash]));
  const fill = moved(accent, white, (colour) => contrast(colour, darkSheet) >= edgeContrastMin);
  const textStrong = mixed(white, text, 0.35);
  return { ...filled(fill), fillEdge: fill, text, textStrong, onText: '#0c0e12', wash };
}

function filled(fill: string): Pick<AccentColours, 'fill' | 'fillStrong' | 'onFill'> {
  const onFill = textOn(fill);
  return { fill, fillStrong: mixed(onFill === white ? black : white, fill, 0.14), onFill };
}

/** Returns white, our dark ink or black. One of white and black has a contrast of at least 4.5:1 with each colour. */
function textOn(background: string): string {
  return [white, '#1b1f29', black].find((colour) => contrast(colour, background) >= textContrastMin) ?? black;
}

function isReadable(colour: string, backgrounds: readonly string[]): boolean {
  return backgrounds.every((background) => contrast(colour, background) >= textContrastMin);
}

/** Moves a colour towards another one in small steps until it is good enough. */
function moved(colour: string, towards: string, isGood: (colour: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mixed(towards, colour, share);
    if (isGood(candidate)) return candidate;
  }
  return towards;
}

/** Mixes `share` of a colour into another one. */
function mixed(colour: string, into: string, share: number): string {
  const [from, to] = [channelsOf(into), channelsOf(colour)];
  const channels = from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * share));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
