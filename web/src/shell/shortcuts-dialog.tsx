import { Dialog } from '../ui/dialog.tsx';
import { shellText } from './texts.ts';

const shortcuts: [keys: string[], what: string][] = [
  [['Ctrl', 'K'], shellText.palette],
  [['/'], shellText.focusSearch],
  [['g', 'd'], shellText.goToDocuments],
  [['g', 't'], shellText.goToTemplates],
  [['g', 'i'], shellText.goToImports],
  [['g', 's'], shellText.goToSettings],
  [['j', 'k'], shellText.nextRow],
  [['x'], shellText.selectRow],
  [['↵'], shellText.openRow],
  [['?'], shellText.shortcuts],
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={shellText.shortcuts} onClose={onClose}>
      <dl className="grid gap-2">
        {shortcuts.map(([keys, what]) => (
          <div key={what} className="flex items-center gap-4">
            <dt className="flex-1">{what}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-7 rounded-md border border-edge bg-wash px-1.5 py-0.5 text-center font-mono text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
