import { readActor } from '../../actor.ts';
import { type Block, columns, gap, rule, stack, text } from '../../pdf/drawing/block.ts';
import { type Flow, flowText } from '../../pdf/drawing/flow.ts';
import { colours, styles } from '../../pdf/drawing/theme.ts';
import type { SealAuditEntry, SealInput } from '../seal-input.ts';
import { exactTime } from './times.ts';
import { type Words, wordsOf } from './words.ts';

const numberColumn = 24;
const timeColumn = 116;
/** Maximum characters of an entry's details. The embedded audit trail has the full details. */
const detailMax = 600;

/** Draws the audit trail: every entry in order, with its number and hash. */
export function drawAuditTrail(flow: Flow, input: SealInput): void {
  const words = wordsOf[input.language];
  const names = new Map(input.recipients.map((recipient) => [recipient.id, recipient.name]));
  flow.gap(26);
  flow.ensure(110);
  flow.place(text(words.auditTrail, styles.heading, colours.ink, flow.width));
  flow.gap(4);
  flowText(flow, words.auditIntroduction, styles.small, colours.soft);
  flow.gap(10);
  for (const entry of input.audit) flow.place(auditEntry(entry, names, words, flow.width));
  flow.place(rule(flow.width, colours.rule));
}

function auditEntry(entry: SealAuditEntry, names: Map<string, string>, words: Words, width: number): Block {
  const wide = width - numberColumn - timeColumn;
  const detail = describeDetail(entry.detail, names, words);
  const event = `${words.actions[entry.action] ?? entry.action} · ${describeActor(entry.actor, names, words)}`;
  return stack(
    rule(width, colours.rule),
    gap(5),
    columns(
      [0, text(String(entry.seq), styles.small, colours.soft, numberColumn)],
      [numberColumn, text(exactTime(entry.at), styles.small, colours.ink, timeColumn)],
      [
        numberColumn + timeColumn,
        stack(
          text(event, styles.small, colours.ink, wide),
          detail === '' ? gap(0) : text(detail, styles.tiny, colours.soft, wide),
          gap(1),
          text(entry.hash, styles.tinyCode, colours.soft, wide),
        ),
      ],
    ),
    gap(5),
  );
}

/** Describes an actor. `recipient:<id>` becomes the recipient's name, `api_key:<id>` keeps its id. */
function describeActor(actor: string, names: Map<string, string>, words: Words): string {
  const { kind, id } = readActor(actor);
  const name = names.get(id ?? kind);
  if (name !== undefined) return name;
  const known = words.actors[kind];
  if (known === undefined) return actor;
  return id === null ? known : `${known} ${id}`;
}

function describeDetail(detail: unknown, names: Map<string, string>, words: Words): string {
  const isObject = typeof detail === 'object' && detail !== null && !Array.isArray(detail);
  const members: Array<[name: string, value: unknown]> = isObject ? Object.entries(detail) : [['', detail]];
  const parts = members
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => {
      const shown = describeValue(name, value, names, words);
      return name === '' ? shown : `${words.details[name] ?? name.replaceAll('_', ' ')}: ${shown}`;
    });
  const whole = parts.join(' · ');
  return whole.length > detailMax ? `${whole.slice(0, detailMax)}…` : whole;
}

/** Details whose text people wrote. It is never replaced by one of our words. */
const writtenByPeople = new Set(['name', 'from', 'signed_as', 'reason', 'user_agent']);

function describeValue(name: string, value: unknown, names: Map<string, string>, words: Words): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return writtenByPeople.has(name) ? value : (names.get(value) ?? words.values[value] ?? value);
}
