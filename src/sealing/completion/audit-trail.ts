import { readActor, recipientNames } from '../../actor.ts';
import { asGroup, asPart, type Block, columns, gap, rule, stack, text } from '../../pdf/drawing/block.ts';
import { type Flow, flowText } from '../../pdf/drawing/flow.ts';
import { colours } from '../../pdf/drawing/theme.ts';
import type { FileFacts } from '../file-facts.ts';
import type { SealAuditEntry, SealInput } from '../seal-input.ts';
import { fine } from './certificate-styles.ts';
import { inOneLine } from './in-one-line.ts';
import { type IsPrinted, printedDetails } from './printed-details.ts';
import { exactTime } from './times.ts';
import { type Words, wordsOf } from './words.ts';

const numberColumn = 13;
const timeColumn = 79;
/** The width of a hash. */
const hashColumn = 208;
/** Maximum characters of an entry's details. The embedded audit trail has the full details. */
const detailMax = 600;

/** Draws the audit trail: every entry in order, with its number and hash, and the details that are not printed above it. */
export function drawAuditTrail(flow: Flow, input: SealInput, facts: FileFacts | null): void {
  const words = wordsOf[input.language];
  const names = new Map(input.recipients.map((recipient) => [recipient.id, recipient.name]));
  const isPrinted = printedDetails(input, facts);
  flow.gap(6);
  flow.ensure(70);
  flow.place(text(words.auditTrail, fine.heading, colours.ink, flow.width));
  const introduction = input.hidesDevices
    ? `${words.auditIntroduction} ${words.hiddenDevices}`
    : input.isComplete
      ? words.completeAuditIntroduction
      : words.auditIntroduction;
  flowText(flow, introduction, fine.note, colours.soft);
  flow.gap(3);
  const nameAt = recipientNames(input.audit, names);
  flow.structure.group('L', () => {
    for (const entry of input.audit) {
      const nameThen: NameOf = (id) => nameAt(id, entry.seq);
      const lines = auditEntry(entry, nameThen, isPrinted, words, flow.width);
      flow.place(stack(rule(flow.width, colours.rule), gap(0.5), asGroup('LI', asPart('LBody', lines)), gap(0.5)));
    }
  });
  flow.place(rule(flow.width, colours.rule));
}

/** Names a recipient, by the id, as of an entry. Null for other texts. */
type NameOf = (id: string) => string | null;

function auditEntry(entry: SealAuditEntry, nameThen: NameOf, isPrinted: IsPrinted, words: Words, width: number): Block {
  const before = numberColumn + timeColumn;
  const eventWidth = width - before - hashColumn - 6;
  const detail = describeDetail(entry, nameThen, isPrinted, words);
  const event = `${words.actions[entry.action] ?? entry.action} · ${describeActor(entry.actor, nameThen, words)}`;
  const whole = detail === '' ? event : `${event} · ${detail}`;
  const behind = text(whole, fine.note, colours.ink, eventWidth);
  const start: [number, Block][] = [
    [0, text(String(entry.seq), fine.note, colours.soft, numberColumn)],
    [numberColumn, text(exactTime(entry.at), fine.note, colours.ink, timeColumn)],
  ];
  const hash: [number, Block] = [width - hashColumn, text(entry.hash, fine.noteCode, colours.soft, hashColumn)];
  const lines = isLine(behind) ? [columns(...start, [before, behind], hash)] : longEntry();
  return stack(...lines);

  /** The hash stands behind the event, with the details below, or below an event that needs the whole width. */
  function longEntry(): Block[] {
    const short = text(event, fine.note, colours.ink, eventWidth);
    const above = text(whole, fine.note, colours.ink, width - before);
    if (!isLine(short) && isLine(above)) return [columns(...start, [before, above]), columns(hash)];
    const below = text(detail, fine.note, colours.soft, width - before);
    return [columns(...start, [before, short], hash), detail === '' ? gap(0) : columns([before, below])];
  }
}

function isLine({ height }: Block): boolean {
  return height <= fine.note.leading;
}

/** Describes an actor. `recipient:<id>` becomes the name that the recipient had then, `api_key:<id>` keeps its id. */
function describeActor(actor: string, nameThen: NameOf, words: Words): string {
  const { kind, id } = readActor(actor);
  const name = nameThen(id ?? kind);
  if (name !== null) return name;
  const known = words.actors[kind];
  if (known === undefined) return actor;
  return id === null ? known : `${known} ${id}`;
}

function describeDetail(entry: SealAuditEntry, nameThen: NameOf, isPrinted: IsPrinted, words: Words): string {
  const { detail } = entry;
  const isObject = typeof detail === 'object' && detail !== null && !Array.isArray(detail);
  const members: Array<[name: string, value: unknown]> = isObject ? Object.entries(detail) : [['', detail]];
  const parts = members
    .filter(([, value]) => !isEmpty(value))
    .filter(([name, value]) => !isPrinted(entry, name, value) && !isSaltedHash(value))
    .map(([name, value]) => {
      const shown = describeValue(name, value, nameThen, words);
      return name === '' ? shown : `${words.details[name] ?? name.replaceAll('_', ' ')}: ${shown}`;
    });
  const whole = inOneLine(parts.join(' · '));
  return whole.length > detailMax ? `${whole.slice(0, detailMax)}…` : whole;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether a detail has only a salted hash, which is in audit.json. */
function isSaltedHash(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'sha256';
}

/** Details whose text people wrote. It is never replaced by one of our words. */
const writtenByPeople = new Set(['name', 'from', 'signed_as', 'reason', 'user_agent']);

function describeValue(name: string, value: unknown, nameThen: NameOf, words: Words): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return writtenByPeople.has(name) ? value : (nameThen(value) ?? words.values[value] ?? value);
}
