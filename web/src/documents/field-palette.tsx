import { fieldsText } from './fields-texts.ts';
import type { FieldType } from './types.ts';

/** Marks what is dragged as a type of field. */
const draggedType = 'application/x-countersign-field';

interface FieldPaletteProps {
  types: readonly FieldType[];
  chosen: FieldType;
  /** The colour of the recipient whose fields are placed. */
  colour: string;
  onChoose: (type: FieldType) => void;
}

/** The types of fields. Choose one and click a page, or drag it there. Small screens have a list instead. */
export function FieldPalette({ types, chosen, colour, onChoose }: FieldPaletteProps) {
  return (
    <fieldset className="hidden lg:block">
      <legend className="text-sm font-medium">{fieldsText.type}</legend>
      <div className="mt-1.5 grid grid-cols-2 gap-1.5">
        {types.map((type) => (
          <label
            key={type}
            draggable
            onDragStart={({ dataTransfer }) => {
              dataTransfer.setData(draggedType, type);
              dataTransfer.effectAllowed = 'copy';
              onChoose(type);
            }}
            className="relative flex min-h-9 items-center gap-2 rounded-lg border border-rule bg-raised px-2 py-1 text-[0.8125rem] leading-tight has-checked:border-accent has-checked:bg-accent-wash has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="field-type"
              className="absolute inset-0 cursor-grab opacity-0"
              checked={type === chosen}
              onChange={() => onChoose(type)}
            />
            <span className={`rounded-sm border bg-[#fff] ${colour}`}>
              <FieldIcon type={type} />
            </span>
            {fieldsText.types[type]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Whether a type of field is being dragged over something, and not a file or a text. */
export function isFieldDragged({ dataTransfer }: React.DragEvent): boolean {
  return dataTransfer.types.includes(draggedType);
}

/** Outlines on a grid of 24. */
const outlines: Record<FieldType, string> = {
  signature: 'M4 16c3-1 4.5-9 6.5-9s-1 8.5 1 8.5 2.5-4 3.5-4 .5 3 2 3 1.5-1 3-1M4 20h16',
  initials: 'M4 17 8 7l4 10M5.5 13.5h5M15 7v10h3a2.5 2.5 0 0 0 0-5.2h-3 2.5a2.3 2.3 0 0 0 0-4.8z',
  stamp: 'M5 20h14M6 17h12v-3H6zM9.5 14c1.5-2.5-1-4.5-1-6.5a3.5 3.5 0 0 1 7 0c0 2-2.5 4-1 6.5',
  upload: 'M12 16V5M7.5 9.5 12 5l4.5 4.5M5 15v4h14v-4',
  date: 'M5 6.5h14V20H5zM5 10.5h14M9 4v4M15 4v4',
  text: 'M6 6h12M12 6v13M9.5 19h5',
  checkbox: 'M5 5h14v14H5zM8.5 12l2.5 2.5 4.5-5',
  number: 'M9.5 4.5l-2 15M16.5 4.5l-2 15M5 9.5h15M4 15h15',
  dropdown: 'M4 7h16v10H4zM13 11l2 2 2-2',
  radio: 'M5 12a7 7 0 1 0 14 0 7 7 0 1 0-14 0M10 12a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
};

function FieldIcon({ type }: { type: FieldType }) {
  return (
    <svg
      width={20}
      height={20}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={outlines[type]} />
    </svg>
  );
}
