import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { AnswerOf } from '../api/client.ts';
import { count, fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { filesText } from './files-texts.ts';

export type Part = AnswerOf<'GET', '/documents/:id/parts'>['data'][number];

interface FileRowsProps {
  parts: readonly Part[];
  isBusy: boolean;
  onRemove: (part: Part) => void;
  /** Receives all parts in their new order, and the place of the one that moved. */
  onMove: (parts: readonly Part[], name: string, place: number) => void;
}

type Way = 'up' | 'down';

/** A list of files that is reordered with buttons or by dragging. After a move, the focus stays on the file that moved. */
export function FileRows({ parts, isBusy, onRemove, onMove }: FileRowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const following = useRef<{ index: number; way: Way } | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows when the list has changed
  useEffect(() => {
    const { index, way } = following.current ?? { index: -1, way: 'up' };
    following.current = null;
    const row = list.current?.children[index];
    const buttons = [way, 'up', 'down'].map((name) => row?.querySelector<HTMLButtonElement>(`[data-way="${name}"]`));
    buttons.find((button) => button?.disabled === false)?.focus();
  }, [parts]);

  function move(from: number, to: number, way: Way | null = null): void {
    const part = parts[from];
    if (part === undefined || from === to || to < 0 || to >= parts.length || isBusy) return;
    if (way !== null) following.current = { index: to, way };
    const moved = parts.filter((_part, index) => index !== from);
    moved.splice(to, 0, part);
    onMove(moved, part.name, to + 1);
  }

  function step(index: number, way: Way): void {
    move(index, index + (way === 'up' ? -1 : 1), way);
  }

  const dropOn = (index: number) => ({
    onDragOver: (event: DragEvent) => {
      if (dragged === null) return;
      event.preventDefault();
      setOver(index);
    },
    onDrop: (event: DragEvent) => {
      if (dragged === null) return;
      event.preventDefault();
      move(dragged, index);
    },
  });

  return (
    <ol ref={list} className="mt-4 grid gap-2">
      {parts.map((part, index) => {
        const { position, name, page_count } = part;
        return (
          <li
            key={position}
            draggable={parts.length > 1}
            onDragStart={({ dataTransfer }) => {
              dataTransfer.effectAllowed = 'move';
              dataTransfer.setData('text/plain', name);
              setDragged(index);
            }}
            onDragEnd={() => {
              setDragged(null);
              setOver(null);
            }}
            {...dropOn(index)}
            className={`flex items-center gap-2 rounded-lg border p-2 pl-3 ${over === index && dragged !== null ? 'border-accent bg-accent-wash' : 'border-rule'} ${parts.length > 1 ? 'cursor-grab' : ''}`}
          >
            <div className="min-w-0 flex-1">
              <p className="font-semibold break-words">
                <bdi>{name}</bdi>
              </p>
              <p className="text-sm text-soft">{count(page_count, filesText.pages)}</p>
            </div>
            {parts.length > 1 && (
              <div className="flex">
                <Button
                  kind="quiet"
                  className="px-2"
                  data-way="up"
                  disabled={index === 0}
                  isBusy={isBusy}
                  aria-label={fill(filesText.moveUp, { name })}
                  onClick={() => step(index, 'up')}
                >
                  <Icon name="up" />
                </Button>
                <Button
                  kind="quiet"
                  className="px-2"
                  data-way="down"
                  disabled={index === parts.length - 1}
                  isBusy={isBusy}
                  aria-label={fill(filesText.moveDown, { name })}
                  onClick={() => step(index, 'down')}
                >
                  <Icon name="down" />
                </Button>
                <Button
                  kind="quiet"
                  className="px-2"
                  isBusy={isBusy}
                  aria-label={fill(filesText.remove, { name })}
                  onClick={() => onRemove(part)}
                >
                  <Icon name="close" />
                </Button>
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}
