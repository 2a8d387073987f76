import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { moveTo, type Placed, resizeTo } from './placing.ts';

interface PlacedFieldProps {
  field: Placed;
  /** For screen readers: type, recipient and page. */
  name: string;
  caption: string;
  colour: string;
  page: readonly [width: number, height: number];
  isSelected: boolean;
  onSelect: () => void;
  onChange: (field: Placed) => void;
  onRemove: () => void;
}

const step = 4;
const arrows: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

/** A field on a page. Drag it to move it or its corner to resize it, or use the arrow keys (with Shift to resize). */
export function PlacedField(props: PlacedFieldProps) {
  const { field, name, caption, colour, page, isSelected, onSelect, onChange, onRemove } = props;
  const [pageWidth, pageHeight] = page;
  const drag = useRef<{ x: number; y: number; field: Placed; isResize: boolean } | null>(null);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation();
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
    const from = began.field;
    onChange(
      began.isResize
        ? resizeTo(from, page, from.width + x, from.height + y)
        : moveTo(from, page, from.x + x, from.y + y),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [x, y] = arrows[event.key] ?? [0, 0];
    if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
    else if (x === 0 && y === 0) return;
    else if (event.shiftKey) onChange(resizeTo(field, page, field.width + x, field.height + y));
    else onChange(moveTo(field, page, field.x + x, field.y + y));
    event.preventDefault();
  };
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = null;
      }}
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
  );
}
