import { useList } from '../api/list.ts';
import { formatNumber } from '../language.ts';
import { MoreButton } from '../ui/more-button.tsx';
import { Problem } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { Cell, Row, Rows } from './rows.tsx';
import { usageText } from './usage-texts.ts';

const pageSize = 20;

/** All added and used credits, newest first. */
export function CreditLedger() {
  const list = useList(['usage', 'credits'], '/credits', { limit: pageSize });
  const { items, isPending, error } = list;
  const columns = usageText.ledgerColumns;
  return (
    <section aria-labelledby="ledger" className="mt-8">
      <h2 id="ledger" className="text-xl">
        {usageText.ledger}
      </h2>
      <Problem of={error} className="mt-2" />
      {!isPending && error === null && items.length === 0 && <p className="mt-2 text-soft">{usageText.noLedger}</p>}
      {items.length > 0 && (
        <Rows caption={usageText.ledger} columns={[columns.at, columns.reason, columns.amount, columns.balance]}>
          {items.map(({ id, created_at, reason, amount, balance }) => (
            <Row key={id}>
              <Cell label={columns.at}>
                <Time at={created_at} />
              </Cell>
              <Cell label={columns.reason}>{usageText.reasons[reason] ?? reason}</Cell>
              <Cell label={columns.amount} className="tabular-nums">
                {amount > 0 ? `+${formatNumber(amount)}` : formatNumber(amount)}
              </Cell>
              <Cell label={columns.balance} className="tabular-nums">
                {formatNumber(balance)}
              </Cell>
            </Row>
          ))}
        </Rows>
      )}
      <MoreButton list={list} />
    </section>
  );
}
