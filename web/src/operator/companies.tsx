import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../api/list.ts';
import { formatNumber } from '../language.ts';
import { Cell, Row, Rows } from '../settings/rows.tsx';
import { formatBytes } from '../settings/usage.ts';
import { usageText } from '../settings/usage-texts.ts';
import { Select, TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { Time } from '../ui/time.tsx';
import { useTyped } from '../ui/use-typed.ts';
import { formatCount } from './facts.tsx';
import { ListEnd } from './list-end.tsx';
import { failures, operatorText } from './texts.ts';
import { tiers } from './tiers.ts';

const { companies: text } = operatorText;

/** All companies, and a search for them. */
export function Companies() {
  const [search, setSearch] = useState('');
  const [plan, setPlan] = useState('');
  const [typed, setTyped] = useTyped(search, setSearch);
  const list = useList(['operator', 'companies', search, plan], '/operator/companies', { query: { search, plan } });
  const { items, isPending, error } = list;
  const { columns } = text;
  return (
    <>
      <search className="mb-4 grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <TextField
          label={text.search}
          type="search"
          value={typed}
          maxLength={200}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Select label={usageText.plan} value={plan} onChange={({ target }) => setPlan(target.value)}>
          <option value="">{text.allPlans}</option>
          {tiers.map((tier) => (
            <option key={tier} value={tier}>
              {usageText.tiers[tier]}
            </option>
          ))}
        </Select>
      </search>
      <Problem of={error} failures={failures} />
      {!isPending && error === null && items.length === 0 && <p className="text-soft">{text.none}</p>}
      {items.length > 0 && (
        <Rows caption={operatorText.tabs.companies} columns={Object.values(columns)}>
          {items.map((company) => (
            <Row key={company.id} isFaded={company.removed_at !== null}>
              <Cell className="font-semibold wrap-anywhere">
                <Link to="/operator/$" params={{ _splat: `companies/${company.id}` }} className="text-accent underline">
                  <bdi>{company.display_name}</bdi>
                </Link>{' '}
                <Removed of={company} />
              </Cell>
              <Cell label={columns.plan}>
                <Badge tone="active">{usageText.tiers[company.tier] ?? company.tier}</Badge>
              </Cell>
              <Cell label={columns.made} className="text-sm whitespace-nowrap text-soft">
                <Time at={company.created_at} />
              </Cell>
              <Cell label={columns.members} className="tabular-nums">
                {formatCount(company.members)}
              </Cell>
              <Cell label={columns.documents} className="tabular-nums">
                {formatCount(company.documents_this_month)}
              </Cell>
              <Cell label={columns.storage} className="whitespace-nowrap tabular-nums">
                {company.stored_bytes === null ? '–' : formatBytes(company.stored_bytes)}
              </Cell>
              <Cell label={columns.credits} className="tabular-nums">
                {formatNumber(company.credits)}
              </Cell>
            </Row>
          ))}
        </Rows>
      )}
      <ListEnd list={list} />
      <p className="mt-4 text-sm text-soft">{text.note}</p>
    </>
  );
}

/** Marks a company that was removed or erased. */
export function Removed({ of }: { of: { removed_at: string | null; erased_at: string | null } }) {
  if (of.removed_at === null) return null;
  return <Badge tone="bad">{of.erased_at === null ? text.removed : text.erased}</Badge>;
}
