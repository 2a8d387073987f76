import { Link } from '@tanstack/react-router';
import { type ItemOf, useList } from '../api/list.ts';
import { count, fill, formatNumber } from '../language.ts';
import { Cell, Row, Rows } from '../settings/rows.tsx';
import { usageText } from '../settings/usage-texts.ts';
import { Problem } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { ListEnd } from './list-end.tsx';
import { failures, operatorText } from './texts.ts';

const { log: text } = operatorText;

type Entry = ItemOf<'/operator/log'>;

/** What operators did, on this page and on the command line. */
export function OperatorLog() {
  const list = useList(['operator', 'log'], '/operator/log');
  const { items, isPending, error } = list;
  const { columns } = text;
  return (
    <>
      <p className="mb-3 max-w-2xl text-soft">{text.intro}</p>
      <Problem of={error} failures={failures} />
      {!isPending && error === null && items.length === 0 && <p className="text-soft">{text.none}</p>}
      {items.length > 0 && (
        <Rows caption={operatorText.tabs.log} columns={Object.values(columns)}>
          {items.map((entry) => (
            <Row key={entry.id}>
              <Cell className="text-sm whitespace-nowrap text-soft">
                <Time at={entry.at} />
              </Cell>
              <Cell label={columns.by} className="wrap-anywhere">
                <bdi>{entry.is_command_line ? text.commandLine : (entry.email ?? text.erased)}</bdi>
              </Cell>
              <Cell label={columns.what} className="wrap-anywhere">
                {sentence(entry)}
              </Cell>
              <Cell label={columns.company} className="wrap-anywhere">
                {entry.account_id === null ? (
                  '–'
                ) : (
                  <Link
                    to="/operator/$"
                    params={{ _splat: `companies/${entry.account_id}` }}
                    className="text-accent underline"
                  >
                    <bdi>{entry.account_name}</bdi>
                  </Link>
                )}
              </Cell>
            </Row>
          ))}
        </Rows>
      )}
      <ListEnd list={list} />
    </>
  );
}

function sentence({ action, detail, about_email }: Entry): string {
  const { sentences } = text;
  const value = (name: string) => String(detail[name] ?? '');
  const plan = (name: string) => usageText.tiers[value(name)] ?? value(name);
  const queue = operatorText.queues.names[value('queue')] ?? value('queue');
  switch (action) {
    case 'operator_added':
    case 'operator_removed':
      return fill(sentences[action], { email: about_email ?? text.erased });
    case 'plan_changed':
      return fill(sentences.plan_changed, { from: plan('from'), to: plan('to') });
    case 'credits_added':
      return count(Number(detail.amount), sentences.credits_added);
    case 'job_retried':
      return fill(sentences.job_retried, { queue });
    default:
      return fill(sentences.jobs_retried, { queue, n: formatNumber(Number(detail.count)) });
  }
}
