/** Limits of what people type on the signing pages, in characters. */
export const nameLengthMax = 120;
export const initialsLengthMax = 10;
export const reasonLengthMax = 1000;
