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
 * embedded files. The rest of the file is trusted to be as it claims. Drops a claim that can't be kept:
 * - one of another kind than PDF/A-1, 2 or 3
 * - of a rewritten file, because PDF/A allows neither encryption nor damage
 * - of a signed file, because its certificate and its embedded files are out of the sight of validators. Earlier signatures allow
 *   the change, because metadata shows nothing.
 */
export function claimKeeper(pdf: PDF, manner: FileManner): ClaimKeeper {
  const claim = readClaim(pdf);
  const colours = deviceColours(pdf);
  if (claim.kind === 'none') return { prepare() {}, settle() {} };
  if (claim.kind === 'other' || manner !== 'pages' || colours.kind === 'unknown') {
    return { prepare() {}, settle: () => dropClaim(pdf) };
  }
  return {
    prepare() {
      if (colours.kind === 'profile' && colours.space !== 'RGB') useSrgbInNewParts(pdf);
    },
    settle() {
      if (colours.kind === 'none') addSrgbIntent(pdf);
      replaceClaim(pdf, claim.level);
    },
  };
}
