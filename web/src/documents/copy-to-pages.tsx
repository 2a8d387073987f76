import { useState } from 'react';
import { count, fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { fieldsText } from './fields-texts.ts';

/** As on the server. */
export const fieldsMax = 500;

interface CopyToPagesProps {
  /** The page that has the field. */
  page: number;
  pageCount: number;
  /** How many fields can be added to the document. */
  room: number;
  onCopy: (pages: number[]) => void;
}

/** Copies the selected field to the same place of other pages. */
export function CopyToPages({ page, pageCount, room, onCopy }: CopyToPagesProps) {
  const [typed, setTyped] = useState('');
  const [said, setSaid] = useState('');
  const pages = readPages(typed, pageCount);
  const copy = () => {
    if (pages === null) return;
    const others = pages.filter((number) => number !== page);
    if (others.length > room) return setSaid(fill(fieldsText.tooMany, { max: fieldsMax }));
    onCopy(others);
    setSaid(count(others.length, fieldsText.copied));
    setTyped('');
  };
  return (
    <div className="grid gap-2">
      <TextField
        label={fieldsText.copyTo}
        hint={fieldsText.copyToHint}
        isOptional
        autoComplete="off"
        maxLength={200}
        value={typed}
        aria-invalid={pages === null}
        onChange={({ target }) => {
          setTyped(target.value);
          setSaid('');
        }}
      />
      <Button onClick={copy} disabled={pages === null}>
        {typed.trim() === '' ? fieldsText.copyToAll : fieldsText.copy}
      </Button>
      <p role="status" className="text-sm text-soft">
        {said}
      </p>
    </div>
  );
}

/** Reads pages such as `2-4, 7`. Nothing means all pages. Returns null for anything else, and for pages that are not there. */
function readPages(typed: string, pageCount: number): number[] | null {
  const all = Array.from({ length: pageCount }, (_, index) => index + 1);
  if (typed.trim() === '') return all;
  const chosen = new Set<number>();
  for (const part of typed.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,5})\s*(?:[-–]\s*(\d{1,5})\s*)?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || from < 1 || to > pageCount || from > to) return null;
    for (let number = from; number <= to; number++) chosen.add(number);
  }
  return all.filter((number) => chosen.has(number));
}
