import { useId, useState } from 'react';
import { count } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { controlClass } from '../ui/field.tsx';
import type { CcList } from './cc-lists.ts';
import { ccText } from './cc-texts.ts';

interface CcListChoiceProps {
  lists: readonly CcList[];
  /** What adding a list has done. */
  said: string;
  onAdd: (list: CcList) => void;
}

/** Adds the people of one of the company's cc lists. Shows nothing while the company has none. */
export function CcListChoice({ lists, said, onAdd }: CcListChoiceProps) {
  const [chosen, setChosen] = useState('');
  const id = useId();
  const list = lists.find((one) => one.id === chosen) ?? lists[0];
  return (
    <>
      {list !== undefined && (
        <div className="mt-4">
          <label htmlFor={id} className="mb-1 block text-sm font-semibold">
            {ccText.choose}
          </label>
          <div className="flex flex-wrap gap-2">
            <select
              id={id}
              className={`${controlClass} w-auto max-w-full min-w-48 sm:max-w-sm`}
              value={list.id}
              onChange={({ target }) => setChosen(target.value)}
            >
              {lists.map(({ id, name, people }) => (
                <option key={id} value={id}>
                  {name} ({count(people.length, ccText.people)})
                </option>
              ))}
            </select>
            <Button onClick={() => onAdd(list)}>{ccText.add}</Button>
          </div>
        </div>
      )}
      <p role="status" className="mt-2 text-sm text-soft wrap-anywhere empty:hidden">
        {said}
      </p>
    </>
  );
}
