import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { fill, formatNumber } from '../language.ts';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { Facts } from './facts.tsx';
import { failures, operatorText } from './texts.ts';

const { service: text } = operatorText;

/** The version of the service, its database, and what its settings lack. */
export function Service() {
  const { data, error, isPending } = useQuery({
    queryKey: ['operator', 'service'],
    queryFn: () => api.get('/operator/service'),
  });
  return (
    <>
      <Problem of={error} failures={failures} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {data !== undefined && (
        <>
          <Facts
            facts={[
              [text.version, data.version],
              [text.commit, data.commit ?? '–'],
              ['Node.js', data.node],
              ['PostgreSQL', data.database.version],
              [
                text.migrations,
                fill(text.migrationsValue, {
                  n: formatNumber(data.database.migrations),
                  name: data.database.newest_migration,
                }),
              ],
              [
                text.connections,
                fill(text.connectionsValue, {
                  n: formatNumber(data.database.connections),
                  max: formatNumber(data.database.connections_max),
                }),
              ],
            ]}
          />
          <section aria-labelledby="warnings" className="mt-8">
            <h2 id="warnings" className="text-xl">
              {text.warnings}
            </h2>
            {data.warnings.length === 0 ? (
              <p className="mt-1 text-soft">{text.noWarnings}</p>
            ) : (
              <ul className="mt-2 grid max-w-2xl list-disc gap-1.5 pl-5">
                {data.warnings.map((warning) => (
                  <li key={warning}>{text.warningTexts[warning]}</li>
                ))}
              </ul>
            )}
            <p className="mt-3 text-soft">{text.doctor}</p>
          </section>
        </>
      )}
    </>
  );
}
