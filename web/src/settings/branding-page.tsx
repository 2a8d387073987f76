import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { keptWhileEdited } from '../api/read-again.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { BrandLogo } from './brand-logo.tsx';
import { BrandSettings } from './brand-settings.tsx';
import { BrandTexts } from './brand-texts.tsx';
import type { Branding } from './branding.ts';
import { brandingText } from './branding-texts.ts';
import { TabHead } from './tab-head.tsx';
import { useChanges } from './use-changes.ts';

/** The company's logo, colour, sender and texts of e-mails, as recipients see them. */
export function BrandingPage() {
  // Not read again while it is edited: an edit is based on the version that was shown.
  const { data, error, isPending, dataUpdatedAt } = useQuery({
    queryKey: ['branding'],
    queryFn: () => api.get('/branding'),
    meta: keptWhileEdited,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <>
      <TabHead>{brandingText.intro}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && <Editor key={dataUpdatedAt} saved={data} />}
    </>
  );
}

function Editor({ saved }: { saved: Branding }) {
  const queryClient = useQueryClient();
  const { shown: branding, change, isOutdated } = useChanges(saved);
  return (
    <div className="grid gap-8">
      {isOutdated && (
        <div>
          <Button onClick={() => queryClient.refetchQueries({ queryKey: ['branding'] })}>{brandingText.reload}</Button>
        </div>
      )}
      <BrandLogo branding={branding} change={change} />
      <BrandSettings branding={branding} change={change} />
      <BrandTexts branding={branding} change={change} />
    </div>
  );
}
