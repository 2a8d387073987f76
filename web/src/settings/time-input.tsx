import { localMinute } from '../documents/send-time.tsx';
import { controlClass } from '../ui/field.tsx';
import { useTyped } from '../ui/use-typed.ts';

interface TimeInputProps {
  label: string;
  /** In UTC. */
  at: string | undefined;
  onChange: (at: string) => void;
}

/** A time in the browser's time zone, to the minute. */
export function TimeInput({ label, at, onChange }: TimeInputProps) {
  const [typed, setTyped] = useTyped(at === undefined ? '' : toLocal(at), (local) => onChange(toUtc(local)));
  return (
    <label className="flex items-center gap-2 text-sm text-soft max-sm:col-span-2">
      <span className="w-12 shrink-0 lg:w-auto">{label}</span>
      <input
        type="datetime-local"
        className={`${controlClass} min-w-0`}
        max="9999-12-31T23:59"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}

function toLocal(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? '' : localMinute(time);
}

function toUtc(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
