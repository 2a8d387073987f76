import { formatDay } from '../../../src/documents/date-format.ts';
import { formatNumber } from '../../../src/documents/number-value.ts';
import { fill, language } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { PagePicture } from '../ui/page-picture.tsx';
import { isFieldDragged } from './field-palette.tsx';
import { fieldsText } from './fields-texts.ts';
import { PlacedField } from './placed-field.tsx';
import type { Placed } from './placing.ts';
import type { DocumentDetail, FileView } from './types.ts';

interface FieldPagesProps {
  document: DocumentDetail;
  file: FileView;
  fields: readonly Placed[];
  selected: string | null;
  /** Adds a field around a point of a page. The first page is 1. */
  onAdd: (page: number, at: { x: number; y: number }) => void;
  onSelect: (key: string) => void;
  onChange: (field: Placed) => void;
  onRemove: (key: string) => void;
  onDuplicate: (field: Placed) => void;
  /** The field that gets the focus as it appears. */
  focused: string | null;
}

const colours = [
  'border-[#22407a] bg-[#22407a]/20 text-[#22407a]',
  'border-[#1d6442] bg-[#1d6442]/20 text-[#1d6442]',
  'border-[#7a4b12] bg-[#7a4b12]/20 text-[#7a4b12]',
  'border-[#8a2747] bg-[#8a2747]/20 text-[#8a2747]',
];

/** The id of the button that adds a field to a page. */
export const adderId = (page: number) => `add-${page}`;

/** The colour of a recipient's fields, by the recipient's place among those who act. */
export const recipientColour = (place: number) => colours[place % colours.length] ?? '';

/** The pages of the PDF with their fields. */
export function FieldPages(props: FieldPagesProps) {
  const { document, file, fields, selected, onAdd, onSelect, onChange, onRemove, onDuplicate } = props;
  const recipients = document.recipients.filter(({ kind }) => kind !== 'cc');
  return (
    <ol className="grid min-w-0 gap-6">
      {file.pages.map((size, index) => {
        const page = index + 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages are identified by number
          <li key={index}>
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button below the page adds fields by keyboard */}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the same */}
            <div
              className="relative cursor-crosshair"
              onClick={(event) => onAdd(page, pointOf(event, size))}
              onDragOver={(event) => isFieldDragged(event) && event.preventDefault()}
              onDrop={(event) => {
                if (!isFieldDragged(event)) return;
                event.preventDefault();
                onAdd(page, pointOf(event, size));
              }}
            >
              <PagePicture
                source={`/console/api/documents/${document.id}/pages/${page}?file=${file.sha256}`}
                widths={[600, 1200, 1800]}
                sizes="(min-width: 64rem) 45rem, 100vw"
                width={size[0]}
                height={size[1]}
                name={fill(fieldsText.page, { n: page, all: file.pages.length })}
                isLazy
              />
              {fields
                .filter((field) => field.page === page)
                .map((field) => {
                  const number = recipients.findIndex(({ id }) => id === field.recipient);
                  const name = recipients[number]?.name ?? '';
                  const type = fieldsText.types[field.type];
                  return (
                    <PlacedField
                      key={field.key}
                      field={field}
                      name={fill(fieldsText.field, { type, name, page })}
                      caption={captionOf(field, name)}
                      colour={recipientColour(number)}
                      page={size}
                      others={fields.filter((other) => other.page === page && other !== field)}
                      isSelected={field.key === selected}
                      takesFocus={field.key === props.focused}
                      onSelect={() => onSelect(field.key)}
                      onChange={onChange}
                      onRemove={() => onRemove(field.key)}
                      onDuplicate={() => onDuplicate(field)}
                    />
                  );
                })}
            </div>
            <Button
              id={adderId(page)}
              kind="quiet"
              className="mt-1"
              onClick={() => onAdd(page, { x: size[0] / 2, y: size[1] / 2 })}
            >
              {fill(fieldsText.add, { n: page })}
            </Button>
          </li>
        );
      })}
    </ol>
  );
}

/** What a field shows in the editor: the value of the sender, or what it is and whose. */
function captionOf(field: Placed, name: string): string {
  const { type, value, label, formula, read_only: isFixed } = field;
  const isText = value !== null && type !== 'checkbox';
  if (formula !== null) return `= ${label ?? fieldsText.calculated} · ${name}`;
  if (type === 'date' && isFixed && value === null) return `${label ?? fieldsText.signingDay} · ${name}`;
  return isText ? writtenValue(field, value) : `${label ?? fieldsText.types[type]} · ${name}`;
}

function writtenValue({ type, date_format }: Placed, value: string): string {
  if (type === 'number') return formatNumber(value, language);
  return type === 'date' ? formatDay(value, date_format, language) : value;
}

function pointOf(event: React.MouseEvent<HTMLElement>, [width]: readonly [number, number]): { x: number; y: number } {
  const box = event.currentTarget.getBoundingClientRect();
  const points = width / box.width;
  return { x: (event.clientX - box.left) * points, y: (event.clientY - box.top) * points };
}
