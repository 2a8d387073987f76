import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useList } from '../api/list.ts';
import { isAtLeast, useMe } from '../api/me.ts';
import type { DocumentSummary } from '../documents/types.ts';
import { fill } from '../language.ts';
import { settingsTabs } from '../settings/settings-tabs.ts';
import { Dialog } from '../ui/dialog.tsx';
import { controlClass } from '../ui/field.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { useTyped } from '../ui/use-typed.ts';
import { changeLanguage, setTheme, signOut, switchAccount, themes } from './session-actions.ts';
import { shellText } from './texts.ts';

interface Command {
  id: string;
  name: string;
  document?: DocumentSummary;
  act: () => void;
}

const documentsMax = 7;

/** Opens any page or document by keyboard. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [asked, setAsked] = useState('');
  const [typed, setTyped] = useTyped(asked, setAsked);
  const [chosen, setChosen] = useState<string | null>(null);
  const id = useId();
  const words = typed.trim();
  const { found, isSearching: isReading } = useFoundDocuments(words === '' ? '' : asked);
  const isOutdated = words !== '' && words !== asked;
  const isSearching = isReading || isOutdated;
  const commands = useCommands().filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()));
  const navigate = useNavigate();
  // Documents come last, and only those of the words in the box: Enter runs the row that was first when it was pressed.
  const shown: Command[] = [
    ...commands,
    ...(isOutdated ? [] : found).map((document) => ({
      id: document.id,
      name: document.title,
      document,
      act: () => void navigate({ to: '/documents/$id', params: { id: document.id } }),
    })),
  ];
  const current = Math.max(
    shown.findIndex((command) => command.id === chosen),
    0,
  );
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.act();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // These keys choose a character then.
    const to = { ArrowDown: current + 1, ArrowUp: current - 1 }[event.key];
    if (to !== undefined) setChosen(shown.at(to % shown.length)?.id ?? null);
    else if (event.key === 'Enter') run(shown[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={shellText.palette} onClose={onClose} width="wide">
      <input
        type="text"
        role="combobox"
        aria-label={shellText.paletteHint}
        aria-expanded="true"
        aria-controls={`${id}list`}
        aria-activedescendant={shown.length > 0 ? `${id}${current}` : undefined}
        autoComplete="off"
        placeholder={shellText.paletteHint}
        autoFocus
        className={controlClass}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(null);
        }}
        onKeyDown={onKey}
      />
      <div
        id={`${id}list`}
        role="listbox"
        aria-label={shellText.palette}
        className="mt-3 max-h-[50dvh] overflow-y-auto"
      >
        {shown.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text box handles the keyboard
          // biome-ignore lint/a11y/useFocusableInteractive: the text box keeps the focus
          <div
            key={command.id}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => run(command)}
            className="flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 hover:bg-wash aria-selected:bg-accent-wash"
          >
            <span className="min-w-0 flex-1 truncate">
              <bdi>{command.name}</bdi>
            </span>
            {command.document && <StatusBadge status={command.document.status} />}
          </div>
        ))}
      </div>
      <p role="status" className={isSearching || shown.length === 0 ? 'mt-2 px-3 text-soft' : 'sr-only'}>
        {isSearching ? shellText.searching : shown.length === 0 ? shellText.nothingFound : ''}
      </p>
    </Dialog>
  );
}

/** Finds documents, also old ones: a search reads a limited number of documents at a time, and the next ones follow. */
function useFoundDocuments(words: string): { found: readonly DocumentSummary[]; isSearching: boolean } {
  const isEmpty = words === '';
  const list = useList(['documents', 'palette', words], '/documents', {
    query: { q: words },
    limit: documentsMax,
    isEnabled: !isEmpty,
  });
  const { items, hasNextPage, isFetching, isPlaceholderData, error, more } = list;
  const found = isEmpty || isPlaceholderData ? [] : items.slice(0, documentsMax);
  const goesOn = !isEmpty && hasNextPage && !isFetching && error === null && found.length < documentsMax;
  useEffect(() => {
    if (goesOn) more();
  }, [goesOn, more]);
  return { found, isSearching: !isEmpty && (isFetching || goesOn) && found.length < documentsMax };
}

function useCommands(): Command[] {
  const navigate = useNavigate();
  const { account, accounts, role } = useMe();
  return [
    { name: shellText.documents, act: () => void navigate({ to: '/documents', search: {} }) },
    { name: shellText.templates, act: () => void navigate({ to: '/templates', search: {} }) },
    { name: shellText.imports, act: () => void navigate({ to: '/imports' }) },
    { name: shellText.settings, act: () => void navigate({ to: '/settings' }) },
    ...settingsTabs
      .filter((tab) => isAtLeast(role, tab.role))
      .map(({ name, to }) => ({ name: `${shellText.settings}: ${name}`, act: () => void navigate({ to }) })),
    { name: shellText.account, act: () => void navigate({ to: '/account' }) },
    { name: shellText.developers, act: () => void navigate({ to: '/developers' }) },
    { name: shellText.reference, act: () => location.assign('/docs') },
    ...accounts
      .filter(({ id }) => id !== account.id)
      .map(({ id, display_name }) => ({
        name: fill(shellText.switchTo, { name: display_name }),
        act: () => void switchAccount(id),
      })),
    ...themes.map((theme) => ({ name: shellText.themes[theme], act: () => setTheme(theme) })),
    { name: shellText.language, act: () => changeLanguage(shellText.otherLanguage) },
    { name: shellText.signOut, act: () => void signOut() },
  ].map((command, index) => ({ ...command, id: String(index) }));
}
