import { Select } from '../ui/field.tsx';
import { restrictedKindNames } from './restricted-kinds.ts';
import { reviewText } from './review-texts.ts';

/** Part of a form that restricts a document: the consequences, and the reason. */
export function RestrictedAs() {
  const { restrictAlone, why } = reviewText.dialogs;
  return (
    <>
      <p>{restrictAlone}</p>
      <Select name="kind" label={why}>
        {Object.entries(restrictedKindNames).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </Select>
    </>
  );
}
