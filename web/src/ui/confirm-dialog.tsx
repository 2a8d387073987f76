import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';
import { uiText } from './texts.ts';

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and the input fields. */
  children: ReactNode;
  /** Label of the confirm button. */
  action: string;
  isDangerous?: boolean;
  /** Whether there is nothing to confirm yet. */
  isDisabled?: boolean;
  /** Error messages by code. */
  failures?: Record<string, string>;
  /** Receives the values of the form. If it throws, the dialog shows the error and stays open. */
  onConfirm: (form: FormData) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation before an action that others notice or that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  action,
  isDangerous,
  isDisabled = false,
  failures,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: onConfirm });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // Once the dialog is closed, an answer must not close another one.
          if (!isPending && !isDisabled) mutate(new FormData(event.currentTarget), { onSuccess: onClose });
        }}
      >
        <div className="grid gap-4">{children}</div>
        <Problem of={error} failures={failures} className="mt-4" />
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{uiText.cancel}</Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isBusy={isPending} disabled={isDisabled}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
