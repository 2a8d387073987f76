import { type PDF, PdfDict, type PdfRef } from '@libpdf/core';
import { addIntent, deviceColours } from './colours.ts';
import { readClaim } from './file-claim.ts';
import { setMetadata } from './make-archival.ts';
import { type ArchivalLevel, makeClaimXmp } from './xmp.ts';

/** The claim of a PDF that is joined from several. */
export interface SharedClaim {
  /** Takes a file into account. Called before it is changed. */
  add(pdf: PDF): void;
  /** Claims PDF/A-3 for the joined PDF if all files claim PDF/A and fit together. Takes the lowest level. */
  settle(joined: PDF): void;
}

/**
 * Files fit together when their output intents have the same profile, because a PDF/A file has only one. Form fields become
 * stamps, possibly with a font that is not embedded, and attached files lose what associates them: a file with either has no claim.
 */
export function sharedClaim(): SharedClaim {
  let level: ArchivalLevel | null = 'U';
  let profile: Buffer | null = null;

  function add(pdf: PDF): void {
    try {
      take(pdf);
    } catch {
      level = null; // a damaged file may still be joined
    }
  }

  function take(pdf: PDF): void {
    const claim = readClaim(pdf);
    const colours = deviceColours(pdf);
    if (claim.kind !== 'kept' || colours.kind === 'unknown' || hasFields(pdf) || hasFileAnnotation(pdf)) level = null;
    else if (claim.level === 'B' && level !== null) level = 'B';
    if (colours.kind !== 'profile') return;
    const own = Buffer.from(colours.profile.getDecodedData());
    if (profile !== null && !profile.equals(own)) level = null;
    profile = own;
  }

  function settle(joined: PDF): void {
    if (level === null) return;
    addIntent(joined, profile);
    setMetadata(joined, makeClaimXmp(level));
  }

  return { add, settle };
}

function hasFields(pdf: PDF): boolean {
  return (pdf.getForm()?.getFields().length ?? 0) > 0;
}

function hasFileAnnotation(pdf: PDF): boolean {
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  return pdf.getPages().some(({ dict }) =>
    [...(dict.getArray('Annots', resolve) ?? [])].some((item) => {
      const annotation = item.type === 'ref' ? resolve(item) : item;
      return annotation instanceof PdfDict && annotation.getName('Subtype', resolve)?.value === 'FileAttachment';
    }),
  );
}
