import { useSyncExternalStore } from 'react';
import { useMe } from '../api/me.ts';
import { otherPerson } from '../api/shown.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { shellText } from './texts.ts';

/** Says that someone else has signed in in another tab, and offers to load the page for them. */
export function OtherPerson() {
  const isOther = useSyncExternalStore(otherPerson.subscribe, otherPerson.isSet);
  const { person } = useMe();
  return (
    <div className={isOther ? 'grid justify-items-center gap-2 bg-warn-wash px-4 py-2.5 sm:px-8' : 'hidden'}>
      <p role="alert" className="text-center font-medium break-words text-warn">
        {isOther && fill(shellText.otherPerson, { email: person.email })}
      </p>
      {isOther && <Button onClick={() => location.reload()}>{shellText.loadAgain}</Button>}
    </div>
  );
}
