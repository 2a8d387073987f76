interface ChoicesProps {
  legend: string;
  name: string;
  choices: readonly { value: string; label: string; hint?: string }[];
  chosen: readonly string[];
}

/** A group of checkboxes in a form. */
export function Choices({ legend, name, choices, chosen }: ChoicesProps) {
  return (
    <fieldset className="grid gap-0.5">
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      {choices.map(({ value, label, hint }) => (
        <label
          key={value}
          className="flex min-h-9 items-start gap-3 rounded-md px-1 py-1.5 hover:bg-wash max-lg:min-h-11"
        >
          <input
            type="checkbox"
            name={name}
            value={value}
            defaultChecked={chosen.includes(value)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            <span className="font-mono text-[0.8125rem]">{label}</span>
            {hint !== undefined && <span className="block text-sm text-soft">{hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
