import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { moveTo, type Placed, resizeTo } from './placing.ts';
import { type Guides, noGuides, snap } from './snap.ts';

interface PlacedFieldProps {
  field: Placed;
  /** For screen readers: type, recipient and page. */
  name: string;
  caption: string;
  colour: string;
  page: readonly [width: number, height: number];
  /** The other fields of the page, to align with. */
  others: readonly Placed[];
  isSelected: boolean;
  /** Whether it gets the focus as it appears. */
  takesFocus: boolean;
  onSelect: () => void;
  onChange: (field: Placed) => void;
  onRemove: () => void;
  onDuplicate: () => void;
}

/** The id of a field's button in the page. */
export const fieldId = (key: string) => `field-${key}`;

const step = 4;
const arrows: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

/**
 * A field on a page. Drag it to move it or its corner to resize it, or use the arrow keys (with Shift to resize). Dragging
 * aligns it with other fields, except with Alt. Ctrl+D duplicates it.
 */
export function PlacedField(props: PlacedFieldProps) {
  const { field, name, caption, colour, page, others, isSelected, takesFocus, onSelect, onChange, onRemove } = props;
  const [pageWidth, pageHeight] = page;
  const drag = useRef<{ x: number; y: number; field: Placed; isResize: boolean } | null>(null);
  const [guides, setGuides] = useState<Guides>(noGuides);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, [takesFocus]);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation();
    // What is being typed in the panel counts before the panel shows this field.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const isResize = (event.target as HTMLElement).dataset.corner !== undefined;
    drag.current = { x: event.clientX, y: event.clientY, field, isResize };
    event.currentTarget.setPointerCapture(event.pointerId);
    onSelect();
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const began = drag.current;
    const shown = event.currentTarget.parentElement?.clientWidth;
    if (began === null || shown === undefined) return;
    const points = pageWidth / shown;
    const [x, y] = [(event.clientX - began.x) * points, (event.clientY - began.y) * points];
    const { x: left, y: top, width, height } = began.field;
    const from = { ...field, x: left, y: top, width, height };
    if (began.isResize) return onChange(resizeTo(from, page, from.width + x, from.height + y));
    const moved = moveTo(from, page, from.x + x, from.y + y);
    if (event.altKey) {
      setGuides(noGuides);
      return onChange(moved);
    }
    const aligned = snap(moved, others);
    setGuides(aligned.guides);
    onChange(moveTo(moved, page, aligned.x, aligned.y));
  };
  const onPointerUp = () => {
    drag.current = null;
    setGuides(noGuides);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [x, y] = arrows[event.key] ?? [0, 0];
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') props.onDuplicate();
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      if (!event.repeat) onRemove(); // the focus is on the next field then
    } else if (x === 0 && y === 0) return;
    else if (event.shiftKey) onChange(resizeTo(field, page, field.width + x, field.height + y));
    else onChange(moveTo(field, page, field.x + x, field.y + y));
    event.preventDefault();
  };
  return (
    <>
      <button
        ref={button}
        id={fieldId(field.key)}
        type="button"
        aria-keyshortcuts="Control+D"
        aria-pressed={isSelected}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onClick={(event) => {
          event.stopPropagation();
          onSelect();
        }}
        onFocus={onSelect}
        onKeyDown={onKeyDown}
        style={{
          left: `${(field.x / pageWidth) * 100}%`,
          top: `${(field.y / pageHeight) * 100}%`,
          width: `${(field.width / pageWidth) * 100}%`,
          height: `${(field.height / pageHeight) * 100}%`,
        }}
        className={`absolute touch-none overflow-hidden rounded-sm border-2 text-left text-[0.6875rem] leading-tight ${isSelected ? 'outline-2 outline-focus' : ''} ${colour}`}
      >
        <span className="sr-only">{name}</span>
        <span aria-hidden="true" className="pointer-events-none block truncate px-1">
          {caption}
        </span>
        {isSelected && <span data-corner="" className="absolute right-0 bottom-0 size-3 cursor-nwse-resize bg-focus" />}
      </button>
      {guides.x !== null && (
        <div
          data-guide=""
          className="pointer-events-none absolute inset-y-0 w-px bg-focus"
          style={{ left: `${(guides.x / pageWidth) * 100}%` }}
        />
      )}
      {guides.y !== null && (
        <div
          data-guide=""
          className="pointer-events-none absolute inset-x-0 h-px bg-focus"
          style={{ top: `${(guides.y / pageHeight) * 100}%` }}
        />
      )}
    </>
  );
}
