/** For `maxlength`, which counts UTF-16 units, of which a character has one or two, and cuts off without a word. */
export const unitsMax = (characters: number) => 2 * characters;
