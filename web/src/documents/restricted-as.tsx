import { Select } from '../ui/field.tsx';
import { keepingText } from './keeping-texts.ts';
import { restrictedKindNames } from './restricted-kinds.ts';

/** In a form that restricts one paper: how far that goes, and why it is sensitive. */
export function RestrictedAs() {
  const { restrictAlone, why } = keepingText.dialogs;
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
