import { isTier, type Tier, tiers } from '../../accounts/plans.ts';
import { type DocumentType, documentTypes } from '../../document-types.ts';
import { type DocumentStatus, documentStatuses } from '../../documents/document.ts';
import { isScope, type Scope, scopes } from '../../keys/scopes.ts';
import { isPlausibleEmail } from '../../platform/email-address.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Timestamp } from '../../postgres/timestamp.ts';
import { type EventType, eventTypes, isEventType } from '../../webhooks/event-types.ts';

/** A value that no command accepts. Printed as one line on stderr, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Lengths count Unicode code points (docs/decisions.md, Documents). */
export function textOf(option: string, lengthMax: number): (value: string) => string {
  return (value) => {
    if (value.trim() !== '' && [...value].length <= lengthMax) return value;
    throw new UsageError(`${option} must have 1 to ${lengthMax} characters and not only white space`);
  };
}

export function oneOf<Choice extends string>(option: string, choices: readonly Choice[]): (value: string) => Choice {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new UsageError(`${option} must be one of ${choices.join(', ')}`);
  };
}

export function positiveInteger(option: string): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : 0;
    if (number > 0 && Number.isSafeInteger(number)) return number;
    throw new UsageError(`${option} must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`);
  };
}

export function tierOf(value: string): Tier {
  if (isTier(value)) return value;
  throw new UsageError(`the plan must be one of ${tiers.join(', ')}`);
}

/** Parses `none` or a comma-separated list of document types. */
export function restrictedTypesOf(value: string): readonly DocumentType[] {
  if (value === 'none') return [];
  const wanted = value.split(',').map((type) => type.trim());
  const unknown = wanted.filter((type) => !(documentTypes as readonly string[]).includes(type));
  if (unknown.length === 0) return documentTypes.filter((type) => wanted.includes(type));
  throw new UsageError(
    `--types must be none or a comma-separated list of ${documentTypes.join(',')}; unknown: ${unknown.join(', ')}`,
  );
}

/** Parses `all` or a comma-separated list of scopes. */
export function scopesOf(value: string): readonly Scope[] {
  if (value === 'all') return scopes;
  const wanted = value.split(',').map((scope) => scope.trim());
  if (wanted.every(isScope)) return wanted;
  throw new UsageError(`--scopes must be all or a comma-separated list of ${scopes.join(',')}`);
}

/** Parses `all` or a comma-separated list of events. Returns each once, in the order of the documentation. */
export function eventsOf(value: string): readonly EventType[] {
  if (value === 'all') return eventTypes;
  const wanted = value.split(',').map((event) => event.trim());
  const unknown = wanted.filter((event) => !isEventType(event));
  if (unknown.length === 0) return eventTypes.filter((event) => wanted.includes(event));
  const named = unknown.map((event) => `"${event}"`).join(', ');
  throw new UsageError(`--events must be all or a comma-separated list of ${eventTypes.join(',')}; unknown: ${named}`);
}

/** Parses the id of a folder, or `none`. */
export function folderOf(value: string): string {
  if (value === 'none' || isUuid(value)) return value.toLowerCase();
  throw new UsageError('--folder must be the id of a folder, or none');
}

/** Parses a comma-separated list of document statuses. */
export function documentStatusesOf(value: string): readonly DocumentStatus[] {
  const wanted = value.split(',').map((status) => status.trim());
  const unknown = wanted.filter((status) => !(documentStatuses as readonly string[]).includes(status));
  if (unknown.length === 0) return documentStatuses.filter((status) => wanted.includes(status));
  throw new UsageError(
    `--status must be a comma-separated list of ${documentStatuses.join(',')}; unknown: ${unknown.join(', ')}`,
  );
}

export function emailOf(option: string): (value: string) => string {
  return (value) => {
    if (isPlausibleEmail(value)) return value;
    throw new UsageError(`${option} must be an e-mail address such as ada@example.com`);
  };
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Allows a time in the past: it creates an expired key. */
export function instantOf(option: string): (value: string) => Timestamp {
  return (value) => {
    const instant = parseInstant(value);
    if (instant !== null) return instant;
    throw new UsageError(`${option} must be an RFC 3339 time with its zone, such as 2030-01-31T12:00:00Z`);
  };
}

function parseInstant(value: string): Timestamp | null {
  const match = rfc3339.exec(value);
  if (match === null) return null;
  // `Date` reads 31 February as 3 March.
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  if (day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()) return null;
  const time = new Date(value.toUpperCase());
  const isWritable = !Number.isNaN(time.getTime()) && time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999;
  return isWritable ? time.toISOString() : null;
}
