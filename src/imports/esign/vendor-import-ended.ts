import type { FailureReason } from '../import.ts';

/** A sweep can never go on: what it has not brought in fails with this reason. */
export class VendorImportEnded extends Error {
  readonly reason: Extract<FailureReason, 'interrupted' | 'permission_denied' | 'source_unavailable' | 'not_found'>;

  constructor(reason: VendorImportEnded['reason']) {
    super(`the migration cannot go on: ${reason}`);
    this.name = 'VendorImportEnded';
    this.reason = reason;
  }
}

/** A sweep goes on when its connection is made anew. */
export class VendorImportPaused extends Error {
  constructor() {
    super('the migration waits for its connection to be made anew');
    this.name = 'VendorImportPaused';
  }
}
