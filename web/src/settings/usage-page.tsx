import { useQuery } from '@tanstack/react-query';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { CreditLedger } from './credit-ledger.tsx';
import { TabHead } from './tab-head.tsx';
import { usageQuery } from './usage.ts';
import { UsageShown } from './usage-shown.tsx';
import { usageText } from './usage-texts.ts';

const renewMs = 30_000;

export function UsagePage() {
  const { data, error, isPending } = useQuery({ ...usageQuery, refetchInterval: renewMs });
  return (
    <>
      <TabHead>{usageText.intro}</TabHead>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && (
        <>
          <UsageShown usage={data} noApi={usageText.noApi} />
          <CreditLedger />
        </>
      )}
    </>
  );
}
