import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { readAgain } from '../api/read-again.ts';
import { otherCompany } from '../api/shown.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { shellText } from './texts.ts';

/**
 * Says that another tab has switched to another company, and offers to switch back, which keeps what was entered, or to load the
 * other one.
 */
export function OtherCompany() {
  const isOther = useSyncExternalStore(otherCompany.subscribe, otherCompany.isSet);
  const { account } = useMe();
  const queryClient = useQueryClient();
  const back = useMutation({
    mutationFn: () => api.post('/account', { body: { account_id: account.id } }),
    onSuccess: () => {
      otherCompany.set(false);
      readAgain(queryClient);
    },
  });
  return (
    <div className={isOther ? 'grid justify-items-center gap-2 bg-warn-wash px-4 py-2.5 sm:px-8' : 'hidden'}>
      <p role="alert" className="text-center font-medium text-warn">
        {isOther && fill(shellText.otherCompany, { name: account.display_name })}
      </p>
      {isOther && (
        <>
          <div className="flex flex-wrap justify-center gap-2">
            <Button isBusy={back.isPending} onClick={() => back.mutate()}>
              {fill(shellText.backTo, { name: account.display_name })}
            </Button>
            <Button onClick={() => location.assign('/documents')}>{shellText.loadOther}</Button>
          </div>
          <Problem of={back.error} failures={{ not_found: shellText.noWayBack }} />
        </>
      )}
    </div>
  );
}
