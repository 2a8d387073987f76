import { Button } from '../ui/button.tsx';

interface SaveRowProps {
  name: string;
  isSaving: boolean;
  /** What a screen reader is told after saving. Empty before. */
  said: string;
}

/** The button that saves a form of settings, and what came of it. */
export function SaveRow({ name, isSaving, said }: SaveRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button type="submit" kind="primary" isBusy={isSaving}>
        {name}
      </Button>
      <p role="status" className="font-medium text-good">
        {said}
      </p>
    </div>
  );
}
