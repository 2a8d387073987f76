/** Limits of what people type on the signing pages, in characters. */
export const nameLengthMax = 120;
export const initialsLengthMax = 10;
export const reasonLengthMax = 1000;
export const commentLengthMax = 2000;

/** Returns a value for `maxlength`, which counts UTF-16 code units and cuts silently. A character has one or two. */
export const unitsMax = (characters: number) => 2 * characters;
