import type { PDF } from '@libpdf/core';
import { addSrgbIntent, deviceColours, useSrgbInNewParts } from '../../pdf/archival/colours.ts';
import { dropClaim, readClaim, replaceClaim } from '../../pdf/archival/file-claim.ts';
import type { FileManner } from '../file-facts.ts';

/** What happens to the claim of an attached file to be PDF/A. */
export interface ClaimKeeper {
  /** Makes new parts fit the file. Called before each save. */
  prepare(): void;
  /** Writes the claim that the file still has. */
  settle(): void;
}

/**
 * Keeps the claim of a file to which values, a certificate and embedded files are added, as PDF/A-3: earlier parts don't allow
 * embedded files. Drops a claim that can't be kept: one of another kind, and that of a file that had to be rewritten, because
 * PDF/A allows neither encryption nor damage. The rest of the file is trusted to be as it claims.
 */
export function claimKeeper(pdf: PDF, manner: FileManner): ClaimKeeper {
  const claim = readClaim(pdf);
  const colours = deviceColours(pdf);
  if (claim.kind === 'none') return { prepare() {}, settle() {} };
  if (claim.kind === 'other' || manner === 'rewritten' || colours.kind === 'unknown') {
    return { prepare() {}, settle: () => dropClaim(pdf) };
  }
  const isRgb = colours.kind === 'none' || colours.space === 'RGB';
  return {
    prepare: () => (isRgb ? undefined : useSrgbInNewParts(pdf)),
    settle() {
      if (colours.kind === 'none') addSrgbIntent(pdf);
      replaceClaim(pdf, claim.level);
    },
  };
}
