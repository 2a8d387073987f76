/** Returns a value for `maxlength`, which counts UTF-16 code units and cuts silently. A character has one or two. */
export const unitsMax = (characters: number) => 2 * characters;
