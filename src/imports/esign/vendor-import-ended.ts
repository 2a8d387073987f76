import type { FailureReason } from '../import.ts';

/** A vendor import can't continue. What it hasn't imported yet fails with this reason. */
export class VendorImportEnded extends Error {
  readonly reason: Extract<FailureReason, 'interrupted' | 'permission_denied' | 'source_unavailable' | 'not_found'>;

  constructor(reason: VendorImportEnded['reason']) {
    super(`the vendor import cannot continue: ${reason}`);
    this.name = 'VendorImportEnded';
    this.reason = reason;
  }
}

/** A vendor import continues when its account is connected again. */
export class VendorImportPaused extends Error {
  constructor() {
    super('the vendor import waits until its account is connected again');
    this.name = 'VendorImportPaused';
  }
}
