/** Limits of what people type about a document and its recipients, in code points. */
export const titleLengthMax = 200;
export const messageLengthMax = 2000;
export const recipientNameLengthMax = 120;
export const phoneLengthMax = 40;
