/** Annotation flags (ISO 32000-1, table 165). */
export const annotationFlags = {
  invisible: 1,
  hidden: 2,
  print: 4,
  noZoom: 8,
  noRotate: 16,
  noView: 32,
  readOnly: 64,
  locked: 128,
  toggleNoView: 256,
  lockedContents: 512,
} as const;

const { hidden, noView, print, readOnly, locked, lockedContents } = annotationFlags;

/** Not shown on screens. */
export const hiddenOrNoView = hidden | noView;
/** Printed, and protected from changes. */
export const printAndLocked = print | readOnly | locked | lockedContents;
