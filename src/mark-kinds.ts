// The scripts of the signing page and the console import this file, so it imports nothing that needs Node.js.

/** The types of fields that show a mark of the recipient. There is one of each, which is shown in every field where it was placed. */
export const markKinds = ['signature', 'initials', 'stamp'] as const;

/** Marks that can be typed or drawn. A stamp is always a picture. */
export const writtenMarkKinds = ['signature', 'initials'] as const;

export type MarkKind = (typeof markKinds)[number];
export type WrittenMarkKind = (typeof writtenMarkKinds)[number];

export function isMarkKind(type: unknown): type is MarkKind {
  return markKinds.some((kind) => kind === type);
}

export function isWrittenMarkKind(type: unknown): type is WrittenMarkKind {
  return writtenMarkKinds.some((kind) => kind === type);
}
