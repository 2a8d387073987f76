import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { formatNumber } from '../language.ts';
import { formatBytes } from '../settings/usage.ts';
import { usageText } from '../settings/usage-texts.ts';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { failures, operatorText } from './texts.ts';
import { tiers } from './tiers.ts';

const { plans: text } = operatorText;

/** The plans in force. */
export function Plans() {
  const { data, error, isPending } = useQuery({
    queryKey: ['operator', 'plans'],
    queryFn: () => api.get('/operator/plans'),
  });
  return (
    <>
      <Problem of={error} failures={failures} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <section aria-label={operatorText.tabs.plans} tabIndex={0} className="overflow-x-auto">
            <table className="w-full min-w-2xl border-collapse text-right tabular-nums">
              <thead>
                <tr className="border-b border-rule text-sm text-soft">
                  <th scope="col" className="py-2 pr-4 text-left font-medium">
                    {text.limit}
                  </th>
                  {tiers.map((tier) => (
                    <th key={tier} scope="col" className="py-2 pl-4 font-medium">
                      {usageText.tiers[tier]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {(Object.keys(text.limits) as (keyof typeof text.limits)[]).map((limit) => (
                  <tr key={limit} className="border-b border-rule">
                    <th scope="row" className="py-2 pr-4 text-left font-normal">
                      {text.limits[limit]}
                    </th>
                    {tiers.map((tier) => (
                      <td key={tier} className="py-2 pl-4 whitespace-nowrap">
                        {shown(limit, data.plans[tier][limit])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <p className="mt-4 max-w-2xl text-soft">{data.has_plans_file ? text.withFile : text.withoutFile}</p>
        </>
      )}
    </>
  );
}

function shown(limit: string, value: number | boolean): string {
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  return limit === 'import_bytes_per_month' ? formatBytes(value) : formatNumber(value);
}
