import { controlClass } from '../ui/field.tsx';

interface LogSelectProps {
  label: string;
  /** Empty: no filter. */
  value: string | undefined;
  /** Name of the choice without a filter. */
  every: string;
  choices: readonly (readonly [value: string, name: string])[];
  onChange: (value: string) => void;
}

/** One choice among the values of a log's filter. */
export function LogSelect({ label, value = '', every, choices, onChange }: LogSelectProps) {
  return (
    <select aria-label={label} className={controlClass} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{every}</option>
      {choices.map(([choice, name]) => (
        <option key={choice} value={choice}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Sets a filter in the query of an address. An empty value removes it. */
export function withFilter<Search extends object>(search: Search, name: keyof Search, value: string): Search {
  const { [name]: _replaced, ...rest } = search;
  return (value === '' ? rest : { ...rest, [name]: value }) as Search;
}
