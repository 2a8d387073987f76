/** Of what people type on the signing pages, in characters. Strangers send it, so everything has a bound. */
export const nameLengthMax = 120;
export const initialsLengthMax = 10;
export const reasonLengthMax = 1000;
