/** Filters of the audit log in the address. Times are in UTC, such as `2026-03-01T09:30:00.000Z`. */
export interface AuditSearch {
  search?: string;
  action?: string;
  /** An e-mail address, or `operator`. */
  person?: string;
  from?: string;
  to?: string;
}
