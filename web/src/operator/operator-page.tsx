import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useMe } from '../api/me.ts';
import { NotFoundPage } from '../shell/notice-pages.tsx';
import { useTitle } from '../ui/page-title.tsx';
import { Companies } from './companies.tsx';
import { Company } from './company.tsx';
import { OperatorLog } from './operator-log.tsx';
import { Plans } from './plans.tsx';
import { Queues } from './queues.tsx';
import { Service } from './service.tsx';
import { Storage } from './storage.tsx';
import { operatorText } from './texts.ts';

const { tabs } = operatorText;

/** Parts of the page, by the beginning of the rest of the address. */
const parts: { name: string; path: string; show: (below: string) => ReactNode }[] = [
  { name: tabs.companies, path: 'companies', show: (id) => (id === '' ? <Companies /> : <Company key={id} id={id} />) },
  { name: tabs.plans, path: 'plans', show: () => <Plans /> },
  { name: tabs.queues, path: 'queues', show: () => <Queues /> },
  { name: tabs.storage, path: 'storage', show: () => <Storage /> },
  { name: tabs.service, path: 'service', show: () => <Service /> },
  { name: tabs.log, path: 'log', show: () => <OperatorLog /> },
];

/** What people who run the service see of all companies. Others are told that there is no such page. */
export function OperatorPage() {
  const { is_operator: isOperator } = useMe();
  const { _splat = '' } = useParams({ strict: false });
  const [path = '', below = '', ...more] = _splat.split('/');
  const current = path === '' ? parts[0] : parts.find((part) => part.path === path);
  const isFound = isOperator && current !== undefined && more.length === 0 && (below === '' || path === 'companies');
  useTitle(isFound ? [current.name, operatorText.title] : null);
  const nav = useRef<HTMLElement>(null);
  // On phones the links are wider than the page.
  useEffect(() => {
    if (path !== '')
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  if (!isFound) return <NotFoundPage />;
  return (
    <>
      <h1 className="mb-3 text-2xl sm:text-3xl">{operatorText.title}</h1>
      <nav
        ref={nav}
        aria-label={operatorText.title}
        className="-mx-4 mb-5 flex gap-1 overflow-x-auto border-b border-rule px-4 sm:mx-0 sm:px-0"
      >
        {parts.map((part) => (
          <Link
            key={part.path}
            to="/operator/$"
            params={{ _splat: part.path }}
            aria-current={part === current ? 'page' : undefined}
            className="flex min-h-11 items-center border-b-2 border-transparent px-3 text-sm font-semibold whitespace-nowrap text-soft -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
          >
            {part.name}
          </Link>
        ))}
      </nav>
      {current.show(below)}
    </>
  );
}
