import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { count, fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { fieldsMax } from './copy-to-pages.tsx';
import { fieldsText } from './fields-texts.ts';
import { placeSuggested, stillToPlace } from './form-suggestions.ts';
import type { Placed } from './placing.ts';
import type { FieldType, RecipientView } from './types.ts';

interface FormFieldsButtonProps {
  documentId: string;
  /** The hash of the attached file. */
  file: string;
  fields: readonly Placed[];
  /** Who gets the fields, and which types they can have. */
  recipient: RecipientView;
  types: readonly FieldType[];
  /** `said`: what was done, or why nothing was. */
  onPlace: (added: Placed[], said: string) => void;
}

/** A button that places a field on each empty field of the PDF's form. It is there while one has none. */
export function FormFieldsButton({ documentId, file, fields, recipient, types, onPlace }: FormFieldsButtonProps) {
  const { data } = useQuery({
    queryKey: ['form-fields', documentId, file],
    queryFn: ({ signal }) => api.get('/documents/:id/form-fields', { params: { id: documentId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const missing = stillToPlace(data?.fields ?? [], fields, types);
  if (data === undefined || missing.length === 0) return null;
  const place = () => {
    if (missing.length > fieldsMax - fields.length) return onPlace([], fill(fieldsText.tooMany, { max: fieldsMax }));
    const added = fill(count(missing.length, fieldsText.formPlaced), { name: recipient.name });
    const others = data.others === 0 ? '' : ` ${count(data.others, fieldsText.formOthers)}`;
    onPlace(placeSuggested(missing, recipient.id, fields), added + others);
  };
  return <Button onClick={place}>{count(missing.length, fieldsText.useForm)}</Button>;
}
